interface Issue {
  path: readonly PropertyKey[];
  message: string;
}

/** The text of each field begins the sentence that describes its error. */
export type Labels<Field extends string> = Readonly<Record<Field, string>>;

export type FieldErrors<Field extends string> = Partial<Record<Field, string>>;

/** Contains only the first problem of each field. */
export function collectErrors<Field extends string>(
  issues: readonly Issue[],
  labels: Labels<Field>,
): FieldErrors<Field> {
  return collect(
    issues.map(({ path, message }) => [String(path.at(-1)), message]),
    labels,
  );
}

/** A refusal lists `field: reason` separated by semicolons. Fields that the form doesn't have are left out. */
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
