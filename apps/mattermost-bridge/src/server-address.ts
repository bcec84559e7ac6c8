/** Returns what is wrong with the address of a server, as a sentence. `name` is the setting that it was given in. */
export function findAddressFault(name: string, value: string): string | undefined {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    return `${name} must be an address such as https://chat.example.com.`;
  }
  if (isPrivate(new URL(value))) return undefined;
  return `${name} must begin with https://, because the token must not cross a network unencrypted.`;
}

/** A token that is read on its way gives every right at the server. Without encryption it must stay on this machine. */
const isPrivate = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || /^(localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(hostname);
