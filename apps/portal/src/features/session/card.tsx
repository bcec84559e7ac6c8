import type { ReactNode } from 'react';
import { productName } from '#platform/product.ts';
import { useTitle } from '#platform/ui/page.tsx';
import classes from './session.module.css';

interface CardProps {
  title: string;
  children: ReactNode;
}

/** The frame of the screens outside the shell. */
export function Card({ title, children }: CardProps) {
  useTitle(title);
  return (
    <main className={classes.room}>
      <div className={classes.brand}>
        <img src="/favicon.svg" alt="" width="28" height="28" />
        <span>{productName()} Admin</span>
      </div>
      <div className={classes.card}>
        <h1 className={classes.title}>{title}</h1>
        {children}
      </div>
    </main>
  );
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
