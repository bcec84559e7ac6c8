import { NativeSelect, Switch, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useId } from 'react';
import sheet from '#platform/forms/save-form.module.css';
import { Icon } from '#platform/page/icon.tsx';
import type { SsoForm } from './connection-form.tsx';

const ROLES = [
  { value: 'team_user', label: 'Team User' },
  { value: 'team_admin', label: 'Team Admin' },
];

/** Who joins, and what their groups make them. */
export function PeopleFields({ form }: { form: SsoForm }) {
  const title = useId();
  const list = { autosize: true, minRows: 2, maxRows: 8, spellCheck: false } as const;
  return (
    <section className={sheet.fields} aria-labelledby={title}>
      <div>
        <Title order={2} id={title} fz="1rem">
          4. Users
        </Title>
        <Text c="dimmed" size="sm" mt={4}>
          Members with an address of a verified domain are linked when they first sign in. Admins and owners link
          themselves. Single sign-on never makes anyone an owner, and never changes owners.
        </Text>
      </div>
      <Switch
        label="Add new users at their first sign-in"
        description="Otherwise, only people you have invited can sign in."
        {...form.getInputProps('jit', { type: 'checkbox' })}
      />
      <NativeSelect
        label="Account type of new users"
        data={ROLES}
        rightSection={<Icon name="chevron" size={16} />}
        rightSectionPointerEvents="none"
        {...form.getInputProps('default_role')}
      />
      <TextInput
        label="Groups claim"
        description="Optional. Name of the claim with the user’s groups, often “groups”. It then decides the account type at each sign-in."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('group_claim')}
      />
      {form.values.group_claim.trim() !== '' && (
        <>
          <Textarea
            label="Groups of Team Admins"
            description="One per line, as the provider sends them"
            {...list}
            {...form.getInputProps('admin_groups')}
          />
          <Textarea
            label="Groups of Team Users"
            description="Users in none of these groups get the account type of new users."
            {...list}
            {...form.getInputProps('user_groups')}
          />
        </>
      )}
    </section>
  );
}
