import type { IntegrationDetail } from '@steward/contract/integrations';
import type { Placeholder } from '@steward/contract/integrations/placeholders';
import type { ComponentType, ReactNode } from 'react';
import type { Place } from '../integrations.queries.ts';

export interface ConnectFormProps {
  place: Place;
  /** Settings of an earlier connection; undefined if they couldn't be fetched. */
  detail: IntegrationDetail | undefined;
}

export interface UpdateDialogProps extends ConnectFormProps {
  opened: boolean;
  onClose: () => void;
}

/** The portal's side of a service that a team can connect. */
export interface Provider {
  /** The code of its integrations in the API. */
  code: string;
  /** The sentences above the form that connects it. */
  describe: (teamName: string) => string;
  /** Connects the service. */
  ConnectForm: ComponentType<ConnectFormProps>;
  /** Replaces the credentials. It is mounted anew for each opening, so that no secret stays in it. */
  UpdateDialog: ComponentType<UpdateDialogProps>;
  /** Name of the connected account; undefined if there is none, or if it isn't known. */
  getAccount: (detail: IntegrationDetail | undefined) => string | undefined;
  /** Sentences about what disabling removes; undefined for the general ones. */
  describeRemoval: (detail: IntegrationDetail | undefined) => ReactNode;
  /** An admin chooses the ticket events that become messages. */
  hasTicketEvents: boolean;
  /** The field of the template: its label, an example of a placeholder, and what that is replaced with. */
  template: { label: string; example: string; meaning: string };
  /** Placeholders to choose from; none if only the service knows what it sends. */
  placeholders: readonly Placeholder[];
  preview: { description: string; payload: string };
}
