/** One thing that a schema has against a value, as zod tells it. */
interface Issue {
  path: readonly PropertyKey[];
  message: string;
}

/** The fields of a form, and how each begins the sentence that says what is wrong with it. */
export type Labels<Field extends string> = Readonly<Record<Field, string>>;

/** One sentence for each wrong field. */
export type FieldErrors<Field extends string> = Partial<Record<Field, string>>;

/** What a schema has against the values of a form, field by field; the first thing of each. */
export function collectErrors<Field extends string>(
  issues: readonly Issue[],
  labels: Labels<Field>,
): FieldErrors<Field> {
  return collect(
    issues.map(({ path, message }) => [String(path.at(-1)), message]),
    labels,
  );
}

/** The same from a refusal, which lists `field: reason`, parted by semicolons; what names no field of ours stays out. */
export function toFieldErrors<Field extends string>(message: string, labels: Labels<Field>): FieldErrors<Field> {
  const listed = message.matchAll(/(?:^|[;,]\s*)(?:body\.)?(?:\d+\.)?(\w+): ([^;]+)/g);
  return collect(
    Array.from(listed, ([, field = '', reason = '']) => [field, reason]),
    labels,
  );
}

function collect<Field extends string>(reasons: [string, string][], labels: Labels<Field>): FieldErrors<Field> {
  const errors: FieldErrors<Field> = {};
  for (const [name, reason] of reasons) {
    if (!Object.hasOwn(labels, name)) continue;
    const field = name as Field;
    errors[field] ??= `${labels[field]} ${reason.trim().replace(/\.$/, '')}.`;
  }
  return errors;
}
