import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

const [A, TXT] = [1, 16];

let shared: Promise<DnsPeer> | undefined;

/** Shared by all apps of a test file, so that no test queries a real server. It has no records at first. */
export function sharedDns(): Promise<DnsPeer> {
  shared ??= startDnsPeer();
  return shared;
}

export type DnsPeer = Awaited<ReturnType<typeof startDnsPeer>>;

export async function startDnsPeer() {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  // A test file may end without closing it.
  socket.unref();
  const peer = {
    /** Value for DNS_SERVERS. */
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    texts: new Map<string, string[]>(),
    /** Addresses of hosts. Several addresses are returned in turn, to try rebinding. */
    addresses: new Map<string, string[]>(),
    fails: false,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
  socket.on('message', (query, { port, address }) => socket.send(answer(peer, query), port, address));
  return peer;
}

function answer({ texts, addresses, fails }: DnsPeer, query: Buffer): Buffer {
  const { name, end } = readName(query);
  const type = query.readUInt16BE(end);
  const question = query.subarray(12, end + 4);
  const data: Buffer[] = [];
  if (type === TXT) for (const text of texts.get(name) ?? []) data.push(toText(text));
  const hosts = addresses.get(name) ?? [];
  const host = hosts.length > 1 ? hosts.shift() : hosts[0];
  if (type === A && host !== undefined) data.push(Buffer.from(host.split('.').map(Number)));
  const id = query.subarray(0, 2);
  if (fails) return Buffer.concat([id, toShorts(0x81_82, 1, 0, 0, 0), question]);
  // Each record refers to the name in the question, has the class of the Internet and lives for no time.
  const records = data.flatMap((value) => [toShorts(0xc0_0c, type, 1, 0, 0, value.length), value]);
  return Buffer.concat([id, toShorts(0x81_80, 1, data.length, 0, 0), question, ...records]);
}

/** Numbers of 16 bits, as DNS writes them. */
const toShorts = (...numbers: number[]) => Buffer.from(numbers.flatMap((number) => [number >> 8, number & 0xff]));

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** DNS splits a text into pieces of at most 255 bytes. */
function toText(text: string): Buffer {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const piece = bytes.subarray(at, at + 255);
    pieces.push(Buffer.from([piece.length]), piece);
  }
  return Buffer.concat(pieces);
}
