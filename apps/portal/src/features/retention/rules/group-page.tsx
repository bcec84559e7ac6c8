import { useQuery } from '@tanstack/react-query';
import sheet from '#platform/forms/save-form.module.css';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { rulesQueryOptions } from '../retention.queries.ts';
import classes from './group-form.module.css';
import { GroupForm } from './group-form.tsx';
import { type GroupName, getGroup } from './groups.ts';

/** The screen of a group: its settings, and beside each what it does (spec §2, design §6). */
export function GroupPage({ name }: { name: GroupName }) {
  const group = getGroup(name);
  const { id: teamId } = useCurrentTeam();
  const { data, error, refetch } = useQuery(rulesQueryOptions(group, teamId));
  return (
    <Page title={group.title} description={group.description}>
      {data !== undefined && <GroupForm key={name} group={group} saved={data} teamId={teamId} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && (
        <div className={`${sheet.form} ${classes.wide}`} aria-busy="true">
          {group.settings.map(({ kind }) => (
            <div key={kind} className={classes.setting}>
              <div className={classes.fields}>
                <Skeletons rows={1} height={22} width="9rem" />
                <Skeletons rows={3} height={18} width="19rem" />
              </div>
              <div className={classes.facts}>
                <Skeletons rows={6} height={14} width="16rem" />
              </div>
            </div>
          ))}
        </div>
      )}
    </Page>
  );
}
