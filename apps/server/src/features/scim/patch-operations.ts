import { SCIM_OPERATIONS_MAX } from '@steward/contract/api/limits';
import { refuse } from '#platform/http/errors.ts';
import type { Path } from './filters/filter.ts';
import { parsePath } from './filters/parse-filter.ts';
import { readFields, readList, requireSchema } from './patch-fields.ts';

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(user|group)(:|$)/i;

export interface Operation {
  op: 'add' | 'replace' | 'remove';
  path: Path;
  /** Undefined for most `remove` operations. */
  value: unknown;
  /** True if the attribute was a key of an object and not a path. Attributes that can't be written are then ignored, not refused. */
  isMerged: boolean;
}

/**
 * Reads the operations of a PATCH. An operation without a path becomes one operation for each key of its value; keys may be
 * paths. Attributes of extensions are ignored. The limit applies to the resulting operations.
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

/** A generator, so that the reader can stop at its limit. */
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

/** Attributes may be nested in an object under the name of the core schema. */
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
