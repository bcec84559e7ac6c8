import unseen from '#platform/page/visually-hidden.module.css';

/** Tells password managers which account the passwords of a form are for. */
export function HiddenUsername({ email }: { email: string }) {
  return (
    <input
      className={unseen.unseen}
      type="text"
      autoComplete="username"
      value={email}
      readOnly
      tabIndex={-1}
      aria-hidden
    />
  );
}
