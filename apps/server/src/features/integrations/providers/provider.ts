import type { IncomingHttpHeaders } from 'node:http';
import type { Authentication, CredentialForm, TemplateProblem } from '@steward/contract/integrations';
import type { Deps } from '#platform/deps.ts';
import type { CalledIntegration, IntegrationRow, Lease, Step } from '../integrations.store.ts';
import type { ChatText } from '../message/chat-text.ts';

/** What an admin typed into the credential form. Absent and empty secrets were not typed. */
export interface TypedCredentials {
  domain?: string | undefined;
  username?: string | undefined;
  authentication?: Authentication | undefined;
  password?: string | undefined;
  token?: string | undefined;
  client_id?: string | undefined;
  client_secret?: string | undefined;
  signature_header?: string | undefined;
  rotate_secret?: boolean | undefined;
}

/** How an integration signs in, without the secret. */
export type Login = Pick<IntegrationRow, 'domain' | 'username' | 'authentication'>;

/** What triggers do: the events that they fire on, and the template that they send. */
export type TriggerSettings = Pick<IntegrationRow, 'ticket_created' | 'ticket_updated' | 'message'>;

/** An integration that the caller may change, because it holds the lease. */
export interface Held {
  lease: Lease;
  row: IntegrationRow;
}

/** Stores the last step of a change with its audit row, in one transaction. */
export type Commit = (step: Step) => Promise<void>;

/** Credentials that the service accepted, and what can be done with them. Each method answers warnings for the admin. */
export interface Session {
  login: Login;
  /** A secret that this session has made, for the admin to see once and enter at the service. */
  secret?: string | undefined;
  /** Prepares a connection: what has to be stored before the first object is created, so that it is found again after a crash. */
  begin(held: Held, pathKey: string): Promise<{ credentials: string; warnings: string[] }>;
  /** Creates what a connection needs; answers the columns to store. The row is as `begin` and the room left it. */
  connect(held: Held, pathKey: string): Promise<Step>;
  /** Takes the place of the stored credentials of a connected integration, in the same account or in another one. */
  replace(held: Held, commit: Commit): Promise<string[]>;
  /** Makes the service send what these settings say. */
  saveTriggers(held: Held, settings: TriggerSettings): Promise<string[]>;
}

/** A template as it was checked. With an error among the problems it cannot be used. */
export interface TemplateCheck {
  source: string;
  /** The JSON body of a delivery for the sample; '' if there is none. */
  json: string;
  problems: TemplateProblem[];
}

/** A request at the address of an integration. */
export interface HookRequest {
  headers: IncomingHttpHeaders;
  /** The bytes as they came. */
  body: Buffer;
}

/** A delivery that is known to come from the service. */
export interface ReceivedDelivery {
  /** The same for each attempt of one delivery; a delivery is stored once. */
  invocationId: string;
  /** Headers for the log, without anything secret. */
  headers: Record<string, string>;
  body: Buffer;
}

/** The deliveries that a request brings; refuses requests that are not authentic. */
export type Receive = (integration: CalledIntegration, request: HookRequest) => Promise<ReceivedDelivery[]>;

/** What turning a delivery into a message needs of its integration. */
export type MessageSettings = Pick<IntegrationRow, 'domain' | 'message'>;

/** A service that teams can connect. Everything that is particular to it is behind this interface. */
export interface Provider {
  /** Names the provider in ids, rows and addresses; never changes. */
  code: string;
  name: string;
  credentialForm: CredentialForm;
  /** Whether an admin chooses the events that become messages; otherwise every delivery does. */
  hasEvents: boolean;
  /** Whether an admin has to enter the address and the secret at the service. */
  isSetUpByHand: boolean;
  defaultTemplate: string;

  /** Checks credentials with the service. What the form leaves out is as in `row`. */
  verify(deps: Deps, form: TypedCredentials, row?: IntegrationRow): Promise<Session>;
  /** A session with the stored credentials, not verified; refuses if they are gone or cannot be opened. */
  open(deps: Deps, row: IntegrationRow): Session;
  /** Whether a form changes the stored credentials. */
  changesCredentials(form: TypedCredentials, row: Login): boolean;
  /** What the credential form shows of the stored credentials besides the columns. */
  getSettings(deps: Pick<Deps, 'secrets'>, row: IntegrationRow): { signature_header: string };

  /** Removes everything of ours at the service; answers what could not be removed. */
  disconnect(deps: Deps, row: IntegrationRow): Promise<string[]>;
  /** Compares the service with the row and repairs what is missing; undefined if there is nothing to compare with. */
  reconcile(deps: Deps, held: Held): Promise<{ warnings: string[]; broken: boolean } | undefined>;
  /** Has the service deliver something to us; answers why that failed, '' if it did not. */
  testConnection(deps: Deps, row: IntegrationRow): Promise<string>;

  /** Called once for each process: what it returns may remember things from request to request. */
  createReceiver(deps: Deps): Receive;
  /** The message that a delivery with this body becomes. Never throws. */
  toMessage(settings: MessageSettings, body: string | Uint8Array, prefix?: string): ChatText;
  /** Checks a template (base64) with `payload`, the last body received, where the provider can use it. */
  checkTemplate(message: string, payload?: string): TemplateCheck;
}
