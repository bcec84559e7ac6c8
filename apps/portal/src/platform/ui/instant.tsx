const SHOWN = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** An instant (ms since 1970) in the person's own zone; the exact one on hover. */
export function Instant({ at }: { at: number }) {
  const date = new Date(at);
  const exact = date.toISOString();
  return (
    <time dateTime={exact} title={exact}>
      {SHOWN.format(date)}
    </time>
  );
}
