import type { ReactNode } from 'react';
import { useTitle } from '#platform/page/page.tsx';
import { productName } from '#platform/product/product.ts';
import classes from './card.module.css';

interface CardProps {
  title: string;
  /** Room for more than a sign-in; such a card keeps its top in place when what is in it changes. */
  isWide?: boolean;
  /** Stands above the title. */
  lead?: ReactNode;
  /** The title takes the focus when it appears, so that it is read out: there is no field that would. */
  isTitleFocused?: boolean;
  children: ReactNode;
}

/** The frame of the screens outside the shell. */
export function Card({ title, isWide = false, lead, isTitleFocused = false, children }: CardProps) {
  useTitle(title);
  return (
    <main className={classes.room} data-wide={isWide || undefined}>
      <div className={classes.brand}>
        <img src="/favicon.svg" alt="" width="28" height="28" />
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

/** What went wrong with the form, read out at once. */
export function FormError({ children }: { children: ReactNode }) {
  return (
    <p className={classes.error} role="alert">
      {children}
    </p>
  );
}

/** A calm line above a form. */
export function FormNotice({ children }: { children: ReactNode }) {
  return (
    <p className={classes.notice} role="status">
      {children}
    </p>
  );
}
