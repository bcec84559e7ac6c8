import type { ReactNode } from 'react';
import { Logo } from '#platform/page/logo.tsx';
import { useTitle } from '#platform/page/use-title.ts';
import { productName } from '#platform/product/product.ts';
import classes from './card.module.css';

interface CardProps {
  title: string;
  /** The card is wider than a sign-in. Its top stays in place when its content changes. */
  isWide?: boolean;
  lead?: ReactNode;
  /** The title gets the focus when it appears, so that it is read out, because no field would take the focus. */
  isTitleFocused?: boolean;
  children: ReactNode;
}

export function Card({ title, isWide = false, lead, isTitleFocused = false, children }: CardProps) {
  useTitle(title);
  return (
    <main className={classes.screen} data-wide={isWide || undefined}>
      <div className={classes.brand}>
        <Logo size={28} />
        <span>{productName()} Admin</span>
      </div>
      <div className={classes.card}>
        {lead}
        <h1 key={title} className={classes.title} {...(isTitleFocused && { ref: focusHeading, tabIndex: -1 })}>
          {title}
        </h1>
        {children}
      </div>
    </main>
  );
}

function focusHeading(heading: HTMLElement | null): void {
  heading?.focus();
}

/** Form errors are announced immediately. */
export function FormError({ children }: { children: ReactNode }) {
  return (
    <p className={classes.error} role="alert">
      {children}
    </p>
  );
}

export function FormNotice({ children }: { children: ReactNode }) {
  return (
    <p className={classes.notice} role="status">
      {children}
    </p>
  );
}
