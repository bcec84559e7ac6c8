import { useTitle } from '#platform/page/page.tsx';
import { productName } from '#platform/product/product.ts';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { AttentionSection } from './attention-section.tsx';
import classes from './home.module.css';
import { Shortcuts } from './shortcuts.tsx';

/** The home screen: the product's name, what needs attention, and links to the main screens. */
export function HomePanel() {
  const team = useCurrentTeam();
  useTitle('Home');
  return (
    <div className={classes.home}>
      <header className={classes.head}>
        <img src="/favicon.svg" alt="" width="40" height="40" />
        <div className={classes.words}>
          <h1 className={classes.title}>{productName()} Admin Portal</h1>
          <p className={classes.text}>
            Managing{' '}
            <strong>
              <bdi>{team.display_name}</bdi>
            </strong>
          </p>
        </div>
      </header>
      <AttentionSection teamId={team.id} />
      <Shortcuts />
    </div>
  );
}
