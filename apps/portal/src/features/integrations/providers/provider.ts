import type { IntegrationDetail } from '@steward/contract/integrations';
import type { Placeholder } from '@steward/contract/integrations/placeholders';
import type { ComponentType, ReactNode } from 'react';
import type { IntegrationKey } from '../integrations.queries.ts';

export interface ConnectFormProps {
  place: IntegrationKey;
  /** The settings of an earlier connection are undefined if they couldn't be fetched. */
  detail: IntegrationDetail | undefined;
}

export interface UpdateDialogProps extends ConnectFormProps {
  opened: boolean;
  onClose: () => void;
}

export interface Provider {
  code: string;
  describe: (teamName: string) => string;
  ConnectForm: ComponentType<ConnectFormProps>;
  /** The dialog is mounted anew for each opening, so that no secret stays in it. */
  UpdateDialog: ComponentType<UpdateDialogProps>;
  /** Returns undefined if there is no account or its name isn't known. */
  getAccount: (detail: IntegrationDetail | undefined) => string | undefined;
  /** Returns undefined if the general sentences apply. */
  describeRemoval: (detail: IntegrationDetail | undefined) => ReactNode;
  /** Set if an admin chooses the ticket events that become messages. */
  hasTicketEvents: boolean;
  /** `meaning` is the value that replaces the example of a placeholder. */
  template: { label: string; example: string; meaning: string };
  /** The list is empty if only the service knows the fields that it sends. */
  placeholders: readonly Placeholder[];
  preview: { description: string; payload: string };
}
