import { createFileRoute } from '@tanstack/react-router';
import { PreviewNotice } from '#platform/feedback/preview-notice.tsx';
import { Page } from '#platform/page/page.tsx';
import { FileIcon } from './file-icon.tsx';
import { FileMenu } from './file-menu.tsx';
import classes from './files.module.css';
import { FILE_GROUPS, type FileKind, type FileSample } from './samples.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/files')({ component: FilesPage });

function FilesPage() {
  return (
    <Page title="Files" description="Files shared in this team, by type.">
      <PreviewNotice>Preview only. These are sample files; actions are disabled.</PreviewNotice>
      <div className={classes.groups}>
        {FILE_GROUPS.map(({ kind, title, files }) => (
          <section key={kind} className={classes.group} aria-labelledby={`files-${kind}`}>
            <h2 id={`files-${kind}`} className={classes.title}>
              {title} <span className={classes.count}>{files.length}</span>
            </h2>
            <ul className={classes.list} aria-labelledby={`files-${kind}`}>
              {files.map((file) => (
                <FileRow key={file.name} kind={kind} file={file} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Page>
  );
}

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

function FileRow({ kind, file: { name, size, date } }: { kind: FileKind; file: FileSample }) {
  return (
    <li className={classes.row}>
      <span className={classes.drawing}>
        <FileIcon kind={kind} />
      </span>
      <span className={classes.facts}>
        <span className={classes.name} title={name}>
          {name}
        </span>
        <span className={classes.size}>{size}</span>
        <time className={classes.date} dateTime={date}>
          {DAY.format(new Date(date))}
        </time>
      </span>
      <FileMenu name={name} />
    </li>
  );
}
