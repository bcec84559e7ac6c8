/** The portal's build converts the pages from Markdown. */
export interface GuidePage {
  title: string;
  /** The title is left out. Links to other pages of the guide are paths of the portal. */
  html: string;
  /** Only headings of the second level are sections. */
  sections: { id: string; title: string }[];
}

interface GuideEntry {
  label: string;
  load: () => Promise<{ page: GuidePage }>;
}

/** The pages of `docs/guide` are in the order of the menu, and each is fetched when it is opened. */
const GUIDE: Record<string, GuideEntry> = {
  'admin-guide': { label: 'Admin portal', load: () => import('virtual:guide/admin-guide') },
  'invitation-links': { label: 'Invitation links', load: () => import('virtual:guide/invitation-links') },
  'end-dates': { label: 'End dates', load: () => import('virtual:guide/end-dates') },
  inactivity: { label: 'Inactive members', load: () => import('virtual:guide/inactivity') },
  retention: { label: 'How retention works', load: () => import('virtual:guide/retention') },
  'connected-server': { label: 'Connected server', load: () => import('virtual:guide/connected-server') },
  'single-sign-on': { label: 'Single sign-on', load: () => import('virtual:guide/single-sign-on') },
  'help-desk': { label: 'Zendesk', load: () => import('virtual:guide/help-desk') },
  'incoming-webhook': { label: 'Incoming webhook', load: () => import('virtual:guide/incoming-webhook') },
  provisioning: { label: 'Provisioning', load: () => import('virtual:guide/provisioning') },
  'csv-files': { label: 'CSV files', load: () => import('virtual:guide/csv-files') },
  content: { label: 'Importing content', load: () => import('virtual:guide/content') },
};

export const GUIDE_MENU = Object.entries(GUIDE).map(([name, { label }]) => ({ name, label }));

export function findGuideEntry(name: string): GuideEntry | undefined {
  return Object.hasOwn(GUIDE, name) ? GUIDE[name] : undefined;
}
