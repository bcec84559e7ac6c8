import type { Page } from '@playwright/test';

/** The page keeps this state between two stops. */
interface Kept {
  held?: HTMLElement;
  look?: string;
}

/** `first` is the expected text of the first stop. */
interface Walk {
  steps: number;
  first: string | undefined;
}

/**
 * Tabs through the page and returns the problems: a stop without a visible focus, a covered stop, one outside of the
 * view, or a focus trap. Reduces motion, because a focus ring that fades in is invisible at first.
 */
export async function checkTabOrder(page: Page, { steps, first }: Walk): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.scrollTo(0, 0);
    Object.assign(globalThis, { walk: {} });
  });
  const faults: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press('Tab');
    // The functions are sent together as text, because a single one wouldn't find the others in the page.
    const found = await page.evaluate<Stop>(`(() => { ${IN_PAGE.map(String).join('\n')} return checkTabStop(); })()`);
    faults.push(...found.faults);
    if (step === 0 && first !== undefined && found.words !== first) faults.push(`Tab begins at “${found.words}”`);
    // The browser's own buttons follow the last stop.
    if (found.isEnd) break;
  }
  return [...new Set(faults)];
}

const IN_PAGE: readonly unknown[] = [checkTabStop, getName, getStyleSnapshot, isDay, checkPosition];

/** Each stop is compared with the previous one. */
interface Stop {
  faults: string[];
  words: string;
  isEnd: boolean;
}

function checkTabStop(): Stop {
  const kept = (globalThis as unknown as { walk: Kept }).walk;
  const faults: string[] = [];
  const held = document.activeElement;
  const before = kept.held;
  if (before !== undefined) {
    // Day, month and year of a date field are three stops of one element.
    if (before === held && !isDay(held)) faults.push(`Tab stays at ${getName(before)}`);
    const isPlain = before !== held && before.isConnected && getStyleSnapshot(before) === kept.look;
    if (isPlain) faults.push(`${getName(before)} does not show the focus`);
  }
  if (!(held instanceof HTMLElement) || held === document.body) return { faults, words: '', isEnd: true };
  Object.assign(kept, { held, look: getStyleSnapshot(held) });
  faults.push(...checkPosition(held));
  return { faults, words: held.textContent?.trim() ?? '', isEnd: false };
}

function getName(element: Element): string {
  const words = element.getAttribute('aria-label') ?? element.textContent?.trim();
  return `${element.tagName.toLowerCase()} “${(words || element.getAttribute('role') || '').slice(0, 40)}”`;
}

/** Includes three elements around it, because the focus ring may belong to a frame or cover a whole tile. */
function getStyleSnapshot(element: Element): string {
  const around: Element[] = [];
  for (let one: Element | null = element; one !== null && around.length < 4; one = one.parentElement) around.push(one);
  return around
    .flatMap((one) => [getComputedStyle(one), getComputedStyle(one, '::after'), getComputedStyle(one, '::before')])
    .map((style) => `${style.outline} ${style.boxShadow} ${style.borderColor} ${style.transform} ${style.clipPath}`)
    .join();
}

function isDay(element: Element | null): boolean {
  return element instanceof HTMLInputElement && element.type === 'date';
}

function checkPosition(held: HTMLElement): string[] {
  const { left, top, right, bottom } = held.getBoundingClientRect();
  const [from, to] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
  if (from >= to || right <= 0 || left >= innerWidth) return [`${getName(held)} is outside the view`];
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const over = [0.15, 0.5, 0.85].map((part) => document.elementFromPoint(x, from + part * (to - from)));
  const isSeen = over.some(
    (found) =>
      found !== null && (held.contains(found) || found.contains(held) || found.closest('label')?.control === held),
  );
  const [first] = over;
  const what = first ? `${getName(first)} .${first.className}` : 'nothing';
  return isSeen ? [] : [`${getName(held)} at ${Math.round(top)} to ${Math.round(bottom)} lies under ${what}`];
}
