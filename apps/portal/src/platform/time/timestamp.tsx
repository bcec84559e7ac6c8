import { formatMoment, formatTimeAgo } from './format.ts';

/** An instant (ms since 1970) in the person's own zone; the exact one on hover. */
export function Timestamp({ at }: { at: number }) {
  const exact = new Date(at).toISOString();
  return (
    <time dateTime={exact} title={exact}>
      {formatMoment(at)}
    </time>
  );
}

/** The same for something recent: how long ago it was when it was drawn. */
export function TimeAgo({ at, className }: { at: number; className?: string | undefined }) {
  const exact = new Date(at).toISOString();
  return (
    <time className={className} dateTime={exact} title={exact}>
      {formatTimeAgo(at, Date.now())}
    </time>
  );
}
