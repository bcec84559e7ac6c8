/** An account by its name and email address. Either may be '', and an account without a name may have its address as one. */
export function AccountName({ name, email }: { name: string; email: string }) {
  if (name === '' || email === '' || name === email)
    return (
      <strong>
        <bdi>{name || email || 'another user'}</bdi>
      </strong>
    );
  return (
    <>
      <strong>
        <bdi>{name}</bdi>
      </strong>{' '}
      (<bdi>{email}</bdi>)
    </>
  );
}
