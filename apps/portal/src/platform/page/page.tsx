import { Button } from '@mantine/core';
import { RotateCw, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Failure, getFailureMessage } from '#platform/api/failure.ts';
import { ERROR_TITLE } from '#platform/feedback/alert-list.ts';
import { productName } from '#platform/product/product.ts';
import classes from './page.module.css';

/** Answers faster than this show no skeleton, so that nothing flickers. Milliseconds. */
const SKELETON_DELAY_MS = 200;

interface PageProps {
  title: string;
  /** One sentence on what the screen is for. */
  description?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

/** The frame of every screen inside the shell: title, one sentence, controls, then the thing itself. */
export function Page({ title, description, actions, children }: PageProps) {
  useTitle(title);
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <div>
          <h1 className={classes.title}>{title}</h1>
          {description !== undefined && <p className={classes.description}>{description}</p>}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Names the browser tab after the screen. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${productName()}`;
  }, [title]);
}

interface PageErrorProps {
  failure: unknown;
  /** There is no other heading on the screen. */
  isWholeScreen?: boolean;
  onRetry?: () => void;
}

/** What a screen shows when its content could not be fetched: the cause, and a way to try again. */
export function PageError({ failure, isWholeScreen = false, onRetry }: PageErrorProps) {
  const Heading = isWholeScreen ? 'h1' : 'h2';
  const requestId = failure instanceof Failure ? failure.request_id : '';
  return (
    <div className={classes.notice} role="alert">
      <span className={classes.danger}>
        <TriangleAlert size={24} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <Heading className={classes.noticeTitle}>{ERROR_TITLE}</Heading>
      <p className={classes.noticeText}>{getFailureMessage(failure)}</p>
      {requestId !== '' && <p className={classes.reference}>Reference: {requestId}</p>}
      {onRetry !== undefined && (
        <Button variant="default" leftSection={<RotateCw size={16} aria-hidden="true" />} onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}

/** True once something has been awaited for longer than 200 ms. */
export function useDelayed(waiting: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waiting) return setLate(false);
    const timer = setTimeout(() => setLate(true), SKELETON_DELAY_MS);
    return () => clearTimeout(timer);
  }, [waiting]);
  return waiting && late;
}

interface SkeletonsProps {
  rows?: number;
  /** Pixels. */
  height?: number;
  /** Any CSS width. */
  width?: string;
}

/** Grey bars in the shape of what is coming; they keep their place from the start and become visible after 200 ms. */
export function Skeletons({ rows = 3, height = 40, width = '100%' }: SkeletonsProps) {
  const late = useDelayed(true);
  return (
    <div className={classes.skeletons} data-late={late || undefined} aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike and never move
        <div key={row} className={classes.bar} style={{ height, width }} />
      ))}
    </div>
  );
}
