/** An account by its name and email address; either may be ''. */
export function AccountName({ name, email }: { name: string; email: string }) {
  if (name === '' || email === '')
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
