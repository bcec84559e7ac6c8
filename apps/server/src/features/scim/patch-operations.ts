import { SCIM_OPERATIONS_MAX } from '@steward/contract/api/limits';
import { refuse } from '#platform/http/errors.ts';
import type { Path } from './filters/filter.ts';
import { parsePath } from './filters/parse-filter.ts';
import { readFields, readList, requireSchema } from './patch-fields.ts';

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(user|group)(:|$)/i;

/** One operation on one attribute. */
export interface Operation {
  op: 'add' | 'replace' | 'remove';
  path: Path;
  /** Undefined for most that remove. */
  value: unknown;
  /** It was a key of an object, and not a path: what can't be set this way is left out. */
  isMerged: boolean;
}

/**
 * Reads the operations of a PATCH. One without a path stands for one operation for each key of its value; keys may be paths
 * themselves. Attributes of extensions are left out. The limit applies to the operations that result.
 */
export function readOperations(body: unknown): Operation[] {
  const fields = readFields(body, 'body');
  requireSchema(fields, PATCH_SCHEMA);
  const list = fields.get('operations');
  if (!Array.isArray(list) || list.length === 0) refuse('scim.invalid_syntax', 'Operations: must be a list');
  const operations: Operation[] = [];
  for (const given of readList(list, 'Operations', SCIM_OPERATIONS_MAX))
    for (const operation of readOperation(given)) {
      if (operations.length === SCIM_OPERATIONS_MAX)
        refuse('scim.invalid_value', `Operations: change more than ${SCIM_OPERATIONS_MAX} attributes`);
      operations.push(operation);
    }
  return operations;
}

/** Yields one operation after the other, so that the reader can stop at its limit. */
function* readOperation(given: unknown): Generator<Operation> {
  const fields = readFields(given, 'Operations');
  const op = readOp(fields.get('op'));
  const path = fields.get('path');
  const value = fields.get('value');
  if (path !== undefined && typeof path !== 'string') refuse('scim.invalid_path', 'path: must be a text');
  if (path !== undefined && path !== '') return yield* toOperations(path, { op, value, isMerged: false });
  if (op === 'remove') refuse('scim.no_target', 'An operation that removes needs a path.');
  for (const [key, each] of Object.entries(value === undefined ? {} : toObject(value))) yield* expand(key, each, op);
}

/** An object under the name of the core schema has the same attributes as one without it. */
function* expand(key: string, value: unknown, op: Operation['op']): Generator<Operation> {
  if (CORE.test(key) && key.split(':').length === 8)
    for (const [inner, each] of Object.entries(toObject(value))) yield* expand(inner, each, op);
  else yield* toOperations(key, { op, value, isMerged: true });
}

function toOperations(path: string, rest: Omit<Operation, 'path'>): Operation[] {
  if (/^urn:/i.test(path) && !CORE.test(path)) return [];
  return [{ path: parsePath(path), ...rest }];
}

function readOp(value: unknown): Operation['op'] {
  const op = typeof value === 'string' ? value.toLowerCase() : '';
  if (op !== 'add' && op !== 'replace' && op !== 'remove')
    refuse('scim.invalid_syntax', 'op: must be add, replace or remove');
  return op;
}

function toObject(value: unknown): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuse('scim.invalid_value', 'value: must be an object');
  return value;
}
