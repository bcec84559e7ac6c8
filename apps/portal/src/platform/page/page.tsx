import { Box, Button, Stack } from '@mantine/core';
import { RotateCw, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Failure, getFailureMessage } from '#platform/api/failure.ts';
import { ERROR_TITLE } from '#platform/feedback/alert-list.ts';
import classes from './page.module.css';
import { useTitle } from './use-title.ts';

/** A faster response shows no skeleton, so that nothing flickers. Milliseconds. */
const SKELETON_DELAY_MS = 200;

interface PageProps {
  title: string;
  /** One sentence that explains the purpose of the screen. */
  description?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

export function Page({ title, description, actions, children }: PageProps) {
  useTitle(title);
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <div>
          <Box component="h1" m={0} fz={22} fw={600} lh={1.3} lts="-0.015em">
            {title}
          </Box>
          {description !== undefined && (
            // The name of a team may be one long word.
            <Box component="p" maw={640} m={0} mt={4} c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {description}
            </Box>
          )}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function CenteredMain({ children }: { children: ReactNode }) {
  return (
    <Box component="main" display="grid" mih="100dvh" c="dimmed" style={{ placeContent: 'center' }}>
      {children}
    </Box>
  );
}

interface NoticeProps {
  icon: ReactNode;
  title: string;
  isWholeScreen: boolean;
  role?: 'alert';
  children: ReactNode;
}

export function Notice({ icon, title, isWholeScreen, role, children }: NoticeProps) {
  return (
    <Stack
      align="center"
      gap={8}
      px={16}
      py={48}
      c="dimmed"
      ta="center"
      style={{ overflowWrap: 'anywhere' }}
      role={role}
    >
      {icon}
      <Box component={isWholeScreen ? 'h1' : 'h2'} m={0} c="var(--mantine-color-text)" fz="lg" fw={600}>
        {title}
      </Box>
      {children}
    </Stack>
  );
}

interface PageErrorProps {
  failure: unknown;
  /** The screen has no other heading. */
  isWholeScreen?: boolean;
  onRetry?: () => void;
}

/** Shows the cause, and a button to try again. */
export function PageError({ failure, isWholeScreen = false, onRetry }: PageErrorProps) {
  const requestId = failure instanceof Failure ? failure.request_id : '';
  return (
    <Notice
      icon={<TriangleAlert size={24} strokeWidth={1.75} color="var(--danger)" aria-hidden="true" />}
      title={ERROR_TITLE}
      isWholeScreen={isWholeScreen}
      role="alert"
    >
      <Box component="p" maw={440} m={0} mb={8}>
        {getFailureMessage(failure)}
      </Box>
      {requestId !== '' && (
        <Box component="p" m={0} mb={8} ff="monospace" fz={12}>
          Reference: {requestId}
        </Box>
      )}
      {onRetry !== undefined && (
        <Button variant="default" leftSection={<RotateCw size={16} aria-hidden="true" />} onClick={onRetry}>
          Retry
        </Button>
      )}
    </Notice>
  );
}

/** Returns true after `waiting` was true for more than 200 ms. */
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

/** Gray bars in the shape of the loading content. They take their space immediately and become visible after 200 ms. */
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
