import { NavLink, Typography } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, useLocation, useNavigate } from '@tanstack/react-router';
import { type MouseEvent, useEffect } from 'react';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { NotFoundScreen } from '#workspace/page/not-found-screen.tsx';
import classes from './guide.module.css';
import { findGuideEntry, GUIDE_MENU, type GuidePage } from './pages.ts';

export const Route = createFileRoute('/_protected/_shell/guide/$page')({ component: GuideScreen });

/** The text is the same as in `docs/guide`. */
function GuideScreen() {
  const { page: name } = Route.useParams();
  const entry = findGuideEntry(name);
  const { data, error, refetch } = useQuery({
    queryKey: ['guide', name],
    queryFn: async () => (await entry?.load())?.page ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (entry === undefined) return <NotFoundScreen />;
  return (
    <Page title={data?.title ?? entry.label}>
      {data && <GuideText name={name} page={data} />}
      {!data && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {!data && error === null && <Skeletons rows={8} height={20} width="640px" />}
    </Page>
  );
}

function GuideText({ name, page }: { name: string; page: GuidePage }) {
  useScrollToSection(page);
  const followLink = useLinks(name);
  return (
    <div className={classes.columns}>
      <nav aria-label="Guide" className={classes.menu}>
        {GUIDE_MENU.map((item) => (
          <NavLink
            key={item.name}
            label={item.label}
            active={item.name === name}
            aria-current={item.name === name ? 'page' : undefined}
            renderRoot={(props) => <Link to="/guide/$page" params={{ page: item.name }} {...props} />}
          />
        ))}
      </nav>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only lets the router follow the links of the text */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click */}
      <div onClick={followLink} className={classes.text}>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own pages, converted by the build */}
        <Typography dangerouslySetInnerHTML={{ __html: page.html }} />
      </div>
    </div>
  );
}

/** The text is loaded after the navigation, so the section of the address has to be scrolled to here. */
function useScrollToSection(page: GuidePage): void {
  const { hash } = useLocation();
  useEffect(() => {
    const heading = hash === '' ? null : document.getElementById(hash);
    // There is nothing to scroll to before the text is loaded.
    if (page.html !== '') heading?.scrollIntoView();
  }, [hash, page]);
}

/** Links within the guide don't reload the portal. */
function useLinks(name: string) {
  const navigate = useNavigate();
  return (event: MouseEvent) => {
    const href = (event.target as Element).closest('a')?.getAttribute('href') ?? '';
    const [, page = name, hash] = /^(?:\/guide\/([\w-]+))?(?:#([\w-]+))?$/.exec(href) ?? [];
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (href === '' || !/^[/#]/.test(href) || !isPlain) return;
    event.preventDefault();
    void navigate({ to: '/guide/$page', params: { page }, ...(hash !== undefined && { hash }) });
  };
}
