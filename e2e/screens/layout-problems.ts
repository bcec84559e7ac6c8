import type { Page } from '@playwright/test';

/** A smaller target is too hard to press (WCAG 2.5.8). Pixels. */
const SMALLEST = 24;
/** Boxes that overlap by at most this much are adjacent. Pixels. */
const SLACK = 1;
const TO_PRESS = 'a[href], button, input, select, textarea, summary, [role="menuitem"], [role="switch"], [role="tab"]';

type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

/** A control, the visible part of it, and the layer that it floats in. */
interface Target {
  element: Element;
  /** This includes the label of a checkbox, which can be pressed too. */
  whole: Element;
  box: Box;
  layer: Element | undefined;
}

/**
 * Layout problems of the page, or of the open dialog, at the current size: the page is wider than the screen, something
 * is outside of the screen, a header is wider than its column, or a control overlaps another or is smaller than 24 pixels
 * (except links within text). One line per problem.
 */
export function findLayoutProblems(page: Page): Promise<string[]> {
  // The functions are sent together as text, because a single one wouldn't find the others in the page.
  const constants = `const [SMALLEST, SLACK, TO_PRESS] = ${JSON.stringify([SMALLEST, SLACK, TO_PRESS])};`;
  return page.evaluate(`(() => { ${constants} ${IN_PAGE.map(String).join('\n')} return findProblemsInPage(); })()`);
}

function findProblemsInPage(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  const root = document.querySelector('[role="dialog"][aria-modal="true"]') ?? document.body;
  const targets = findTargets(root);
  const wider = scrollWidth > clientWidth ? [`the page is ${scrollWidth - clientWidth} px wider than the screen`] : [];
  const faults = [
    ...checkTargets(targets),
    ...findOverlaps(targets),
    ...checkTexts(root, targets),
    ...checkHeaders(root),
  ];
  return [...new Set([...wider, ...faults])];
}

/** The element and everything that it is in, from the inside. */
function listHolders(element: Element | null): Element[] {
  return element === null ? [] : [element, ...listHolders(element.parentElement)];
}

/** Removes the parts of a box that its holders clip. */
function clipBox(box: Box, holders: readonly Element[]): Box {
  return holders
    .filter((holder) => getComputedStyle(holder).overflow !== 'visible' && !holder.matches('body, html'))
    .map((holder) => holder.getBoundingClientRect())
    .reduce((seen, { left, top, right, bottom }) => {
      return {
        left: Math.max(seen.left, left),
        top: Math.max(seen.top, top),
        right: Math.min(seen.right, right),
        bottom: Math.min(seen.bottom, bottom),
      };
    }, box);
}

function findLayer(element: Element): Element | undefined {
  return listHolders(element).find((one) => /fixed|sticky/.test(getComputedStyle(one).position));
}

function isSeen(element: Element): boolean {
  const isDrawn = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  return isDrawn && listHolders(element).every((one) => getComputedStyle(one).clipPath === 'none');
}

/** True if the box is beside the page and can't be scrolled into view. */
function isOut({ left, right }: Box, { parentElement }: Element): boolean {
  if (left >= -SLACK && right <= document.documentElement.clientWidth + SLACK) return false;
  const scrolls = (one: Element) => /auto|scroll/.test(getComputedStyle(one).overflowX);
  return !listHolders(parentElement).some((one) => scrolls(one) && one.scrollWidth > one.clientWidth);
}

function getName(element: Element): string {
  const words = element.getAttribute('aria-label') ?? (element as HTMLInputElement).labels?.[0]?.textContent;
  return `${element.tagName.toLowerCase()} “${(words ?? element.textContent ?? '').trim().slice(0, 40)}”`;
}

function meet(one: Box, other: Box): boolean {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return across > SLACK && down > SLACK;
}

/** Buttons inside a field, such as the eye of a password, overlap it intentionally. */
function isOneField(one: Element, other: Element): boolean {
  const holders = listHolders(one.parentElement).slice(0, 3);
  return [one, other].some((element) => element.matches('input, textarea')) && holders.some((of) => of.contains(other));
}

function findTargets(root: Element): Target[] {
  return [...root.querySelectorAll(TO_PRESS)].filter(isSeen).flatMap((element) => {
    const isTick = element instanceof HTMLInputElement && /radio|checkbox/.test(element.type);
    const whole = (isTick && element.labels?.[0]) || element;
    const box = clipBox(element.getBoundingClientRect(), listHolders(element.parentElement));
    const isThere = box.right - box.left > SLACK && box.bottom - box.top > SLACK;
    return isThere ? [{ element, whole, box, layer: findLayer(element) }] : [];
  });
}

function checkTargets(targets: readonly Target[]): string[] {
  return targets.flatMap(({ element, whole }) => {
    const { width, height } = whole.getBoundingClientRect();
    const isInText = element.matches('a') && getComputedStyle(element).display === 'inline';
    const isSmall = !isInText && (width < SMALLEST || height < SMALLEST);
    return [
      ...(isOut(element.getBoundingClientRect(), element) ? [`${getName(element)} leaves the screen`] : []),
      ...(isSmall ? [`${getName(element)} is ${width.toFixed(1)} × ${height.toFixed(1)} px`] : []),
    ];
  });
}

function findOverlaps(targets: readonly Target[]): string[] {
  return targets.flatMap((one, at) =>
    targets.slice(at + 1).flatMap((other) => {
      const isInside = one.element.contains(other.element) || other.element.contains(one.element);
      if (isInside || one.layer !== other.layer || isOneField(one.element, other.element)) return [];
      return meet(one.box, other.box) ? [`${getName(one.element)} overlaps ${getName(other.element)}`] : [];
    }),
  );
}

function checkTexts(root: Element, targets: readonly Target[]): string[] {
  const faults: string[] = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const holder = text.parentElement;
    const words = text.textContent?.trim() ?? '';
    if (holder === null || words === '' || !isSeen(holder)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const layer = findLayer(holder);
    const near = targets.filter(({ element, whole, layer: own }) => {
      const isInside = element.contains(holder) || whole.contains(holder) || holder.contains(element);
      return own === layer && !isInside && !isOneField(element, holder);
    });
    for (const line of range.getClientRects()) {
      const box = clipBox(line, listHolders(holder));
      if (isOut(box, holder)) faults.push(`the text “${words.slice(0, 40)}” leaves the screen`);
      const below = near.find((target) => meet(box, target.box));
      if (below) faults.push(`the text “${words.slice(0, 40)}” overlaps ${getName(below.element)}`);
    }
  }
  return faults;
}

/** A header that is wider than its column overlaps the next one. */
function checkHeaders(root: Element): string[] {
  return [...root.querySelectorAll('th, [role="columnheader"]')]
    .filter((header) => isSeen(header) && header.scrollWidth > header.clientWidth + SLACK)
    .map((header) => `the header “${header.textContent}” is wider than its column`);
}

const IN_PAGE: readonly unknown[] = [
  ...[findProblemsInPage, listHolders, clipBox, findLayer, isSeen, isOut, getName, meet, isOneField],
  ...[findTargets, checkTargets, findOverlaps, checkTexts, checkHeaders],
];
