import type { z } from 'zod';
import type { Cost } from './costs.ts';

export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** HTTP methods of the API. GET never changes anything; the others may. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** An endpoint of the API, defined once for the server, the portal and the API reference. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  /** camelCase name shared by endpoint, mutation and test. */
  name: string;
  method: Method;
  /** Path below `/api/v4`, parameters as `:teamId`. */
  path: string;
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  answer: Reply;
  /** Status of a success; 200 when absent. */
  success?: 201;
  /** Largest body in bytes; 1 MiB when absent. A larger one is refused before it is parsed. */
  bodyLimit?: number;
  /** Type of a body that the handler reads as a stream; JSON when absent. Then there is no `body` and no `bodyLimit`. */
  accepts?: 'application/x-ndjson' | typeof PICTURE_TYPES;
  /** Limits an expensive call: a user may make a number of each kind in a minute. */
  costs?: readonly Cost[];
}

export const API_BASE = '/api/v4';

export function endpoint<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
>(definition: Endpoint<Params, Query, Body, Reply>): Endpoint<Params, Query, Body, Reply> {
  return definition;
}

// biome-ignore lint/suspicious/noExplicitAny: the schemas are invariant in their types, and this names all of them
export type AnyEndpoint = Endpoint<any, any, any, any>;

type Input<Schema> = unknown extends Schema ? undefined : Schema extends z.ZodType ? z.input<Schema> : undefined;
type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export interface Sent<E extends AnyEndpoint> {
  params: Input<NonNullable<E['params']>>;
  query: Input<NonNullable<E['query']>>;
  body: Input<NonNullable<E['body']>>;
}

/** The handler's input, after the schemas have parsed it. */
export interface Received<E extends AnyEndpoint> {
  params: Output<NonNullable<E['params']>>;
  query: Output<NonNullable<E['query']>>;
  body: Output<NonNullable<E['body']>>;
}

export type Answer<E extends AnyEndpoint> = z.output<E['answer']>;
