import classes from './loading.module.css';

/** The whole screen while it is not known yet who is asking. */
export function Loading() {
  return (
    <main className={classes.centre}>
      <p role="status">Loading...</p>
    </main>
  );
}
