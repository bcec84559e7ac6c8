import type { ReactNode } from 'react';
import { Logo } from '#platform/page/logo.tsx';
import { useTitle } from '#platform/page/use-title.ts';
import { productName } from '#platform/product/product.ts';
import classes from './card.module.css';

interface CardProps {
  title: string;
  /** Wider than a sign-in; the top of such a card stays in place when its content changes. */
  isWide?: boolean;
  /** Shown above the title. */
  lead?: ReactNode;
  /** Focuses the title when it appears, so that it is read out: no field would take the focus. */
  isTitleFocused?: boolean;
  children: ReactNode;
}

/** The frame of the screens outside the shell. */
export function Card({ title, isWide = false, lead, isTitleFocused = false, children }: CardProps) {
  useTitle(title);
  return (
    <main className={classes.room} data-wide={isWide || undefined}>
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

/** An error of the form, announced immediately. */
export function FormError({ children }: { children: ReactNode }) {
  return (
    <p className={classes.error} role="alert">
      {children}
    </p>
  );
}

/** A notice above a form. */
export function FormNotice({ children }: { children: ReactNode }) {
  return (
    <p className={classes.notice} role="status">
      {children}
    </p>
  );
}
