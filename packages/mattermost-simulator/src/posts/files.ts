import { forbid, json, refuse } from '../answer.ts';
import { asks, type Call, found, isAdmin, type Route } from '../call.ts';
import type { FileInfo } from '../model.ts';
import { fileRow } from '../render.ts';
import type { World } from '../world.ts';
import { listFiles } from './deletion.ts';

const MISSING = 'app.file_info.get.app_error';

export const FILE_ROUTES: Route[] = [
  { call: 'POST files', by: 'user', run: upload },
  {
    call: 'GET files/:file',
    by: 'user',
    run: (call) => {
      const file = readableFile(call);
      const bytes = found(call.world.disk, `${file.id}/${file.name}`, 'api.file.read_file.reading_local.app_error');
      return { status: 200, headers: { 'content-type': file.mime_type }, body: bytes };
    },
  },
  { call: 'GET files/:file/info', by: 'user', run: (call) => json(200, fileRow(readableFile(call))) },
  { call: 'GET posts/:post/files/info', by: 'user', run: listOfPost },
];

/** Serves a file whatever became of its post, if its row isn't deleted. */
function readableFile({ world, params, caller }: Call): FileInfo {
  const file = found(world.files, params.file, MISSING);
  if (file.delete_at > 0) refuse(404, MISSING);
  const isMember = world.channelMembers.get(file.channel_id)?.has(caller.id);
  if (!isAdmin(caller) && file.user_id !== caller.id && !isMember) forbid();
  return file;
}

export function addFile(world: World, more: Partial<FileInfo> & { name: string }, bytes: Buffer): FileInfo {
  const now = world.now();
  const extension = /\.(\w+)$/.exec(more.name)?.[1] ?? '';
  const isImage = ['png', 'jpg', 'gif'].includes(extension);
  const file: FileInfo = {
    id: world.id(),
    user_id: '',
    post_id: '',
    channel_id: '',
    create_at: now,
    update_at: now,
    delete_at: 0,
    extension,
    size: bytes.length,
    mime_type: isImage ? `image/${extension}` : 'text/plain; charset=utf-8',
    ...more,
  };
  world.files.set(file.id, file);
  world.disk.set(`${file.id}/${file.name}`, bytes);
  if (isImage) for (const made of ['thumbnail', 'preview']) world.disk.set(`${file.id}/${made}`, Buffer.alloc(1));
  return file;
}

async function upload({ world, caller, headers, raw }: Call) {
  const type = headers['content-type'] ?? '';
  const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': type } }).formData();
  const channel_id = String(form.get('channel_id') ?? '');
  if (!world.channels.has(channel_id)) forbid();
  const files = form.getAll('files').filter((each) => each instanceof File);
  const added = await Promise.all(
    files.map(async (each) => {
      const bytes = Buffer.from(await each.arrayBuffer());
      return addFile(world, { name: each.name, user_id: caller.id, channel_id }, bytes);
    }),
  );
  // A file without a post has no field for it in this answer.
  const infos = added.map(fileRow).map(({ post_id: _, ...shown }) => shown);
  return json(201, { file_infos: infos, client_ids: [] });
}

function listOfPost({ world, params, query, caller }: Call) {
  const withDeleted = asks(query, 'include_deleted');
  if (withDeleted && !isAdmin(caller)) forbid();
  const files = listFiles(world, params.post ?? '', withDeleted);
  if (withDeleted) world.fileCache.set(params.post ?? '', { files: [...files], at: world.now() });
  return json(200, files.map(fileRow));
}
