// A test loads this before a server: the clock of that process is then wrong by CLOCK_SHIFT_MS milliseconds.
const Right = Date;
const now = () => Right.now() + Number(process.env.CLOCK_SHIFT_MS);

globalThis.Date = new Proxy(Right, {
  apply: () => new Right(now()).toString(),
  construct: (_, given, made) => Reflect.construct(Right, given.length === 0 ? [now()] : given, made),
  get: (_, key) => (key === 'now' ? now : Reflect.get(Right, key)),
});
