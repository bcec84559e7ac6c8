import { formatMoment, formatTimeAgo } from './format.ts';

/** Shows an instant (ms since 1970) in the viewer's time zone, and the exact one on hover. */
export function Timestamp({ at }: { at: number }) {
  const exact = new Date(at).toISOString();
  return (
    <time dateTime={exact} title={exact}>
      {formatMoment(at)}
    </time>
  );
}

/** Shows how long ago a recent instant was at the time of rendering. */
export function TimeAgo({ at, className }: { at: number; className?: string | undefined }) {
  const exact = new Date(at).toISOString();
  return (
    <time className={className} dateTime={exact} title={exact}>
      {formatTimeAgo(at, Date.now())}
    </time>
  );
}
