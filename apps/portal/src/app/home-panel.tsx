import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { productName } from '#platform/product.ts';
import { Icon } from '#platform/ui/icon.tsx';
import { useTitle } from '#platform/ui/page.tsx';
import { useCurrentTeam } from '#workspace/current-team.ts';
import classes from './home.module.css';

/** The panel of the home screen (spec §1). */
export function HomePanel() {
  const team = useCurrentTeam();
  useTitle('Home');
  return (
    <section className={classes.panel}>
      <img src="/favicon.svg" alt="" width="44" height="44" />
      <h1 className={classes.title}>{productName()} Admin Portal</h1>
      <p className={classes.text}>
        You are looking after <strong>{team.display_name}</strong>. Find people, see what they may do, and end their
        sessions.
      </p>
      <Button component={Link} to="/users/users" leftSection={<Icon name="people" size={16} />}>
        Manage Users
      </Button>
    </section>
  );
}
