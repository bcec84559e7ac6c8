import { CenteredMain } from '#platform/page/page.tsx';

/** Fills the screen while the session is being checked. */
export function Loading() {
  return (
    <CenteredMain>
      <p role="status">Loading...</p>
    </CenteredMain>
  );
}
