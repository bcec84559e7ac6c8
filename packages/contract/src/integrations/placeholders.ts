export interface Placeholder {
  /** The name between `{{` and `}}`; a part in angle brackets is an id or key specific to the account. */
  name: string;
  meaning: string;
  group: string;
  /** Text to insert if it is more than the name in braces, such as a loop. */
  insert?: string;
}

type Meanings = readonly (readonly [name: string, meaning: string])[];

const TICKET: Meanings = [
  ['id', 'Number of the ticket'],
  ['title', 'Subject'],
  ['status', 'Status, such as Open'],
  ['priority', 'Priority, such as High; empty when none is set'],
  ['ticket_type', 'Type, such as Incident; empty when none is set'],
  ['link', 'Address of the ticket'],
  ['url', 'Address of the ticket without https://'],
  ['url_with_protocol', 'Address of the ticket'],
  ['description', 'First comment, with a line, the name and the time above it'],
  ['tags', 'Tags, with spaces between them'],
  ['via', 'How it came in, such as Mail'],
  ['external_id', 'Id of the ticket in another system'],
  ['encoded_id', 'Number of the ticket in letters and digits'],
  ['score', 'Score of the ticket'],
  ['ticket_form', 'Form that it was entered with'],
  ['account', 'Name of the Zendesk account'],
  ['brand.name', 'Brand'],
  ['brand.id', 'Id of the brand'],
  ['brand.subdomain', 'Subdomain of the brand'],
  ['group.name', 'Group that it is assigned to; empty when to none'],
  ['group.id', 'Id of the group; empty when there is none'],
  ['cc_names', 'Names of the people in copy'],
  ['due_date', 'When it is due, such as February 3, 2025'],
  ['due_date_with_timestamp', 'When it is due, as 2025-02-03T19:59Z'],
  ['created_at', 'Day it was created, such as February 3, 2025'],
  ['created_at_with_time', 'Day and time it was created'],
  ['created_at_with_timestamp', 'When it was created, as 2025-02-03T19:59Z'],
  ['updated_at', 'Day it was last changed'],
  ['updated_at_with_time', 'Day and time it was last changed'],
  ['updated_at_with_timestamp', 'When it was last changed, as 2025-02-03T19:59Z'],
  ['in_business_hours', 'true inside business hours, false outside'],
  ['current_holiday_name', 'Name of the holiday, if today is one'],
  ['ticket_field_<id>', 'Value of a field of your own, by its number'],
  ['ticket_field_option_title_<id>', 'Title of what was chosen in a field of your own'],
  ['custom_fields.<id>', 'Value of a field of your own, by its number'],
];

const PERSON: Meanings = [
  ['name', 'Name'],
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['email', 'Email address'],
  ['phone', 'Phone number'],
  ['language', 'Language'],
  ['locale', 'Locale, such as en-US'],
  ['time_zone', 'Time zone'],
  ['role', 'Role, such as Agent'],
  ['extended_role', 'Role, with the name of a role of your own'],
  ['id', 'Id of the person'],
  ['external_id', 'Id of the person in another system'],
  ['details', 'Details'],
  ['notes', 'Notes'],
  ['signature', 'Signature of an agent'],
  ['tags', 'Tags of the person'],
  ['custom_fields.<key>', 'A field of your own'],
];

const ORGANIZATION: Meanings = [
  ['name', 'Organization'],
  ['id', 'Id of the organization'],
  ['external_id', 'Id of the organization in another system'],
  ['details', 'Details of the organization'],
  ['notes', 'Notes on the organization'],
  ['tags', 'Tags of the organization'],
  ['is_shared', 'Whether its people see each other’s tickets'],
  ['is_shared_comments', 'Whether its people may comment on each other’s tickets'],
  ['custom_fields.<key>', 'A field of your own of the organization'],
];

const COMMENT: Meanings = [
  ['value', 'Text'],
  ['author.name', 'Author'],
  ['author.first_name', 'First name of the author'],
  ['author.email', 'Email address of the author'],
  ['author.role', 'Role of the author'],
  ['author.id', 'Id of the author'],
  ['id', 'Id of the comment'],
  ['created_at', 'Day it was written'],
  ['created_at_with_time', 'Day and time it was written'],
  ['is_public', 'true for all to see, false for an internal note'],
];

const COMMENTS: readonly Omit<Placeholder, 'group'>[] = [
  {
    name: 'ticket.public_comments',
    meaning: 'Comments without internal notes, newest first, in a loop',
    insert:
      '{% for comment in ticket.public_comments %}{{comment.value}}{% if forloop.last == false %}\\n{% endif %}{% endfor %}',
  },
  {
    name: 'ticket.comments',
    meaning: 'All comments, internal notes too, newest first, in a loop',
    insert:
      '{% for comment in ticket.comments %}{{comment.value}}{% if forloop.last == false %}\\n{% endif %}{% endfor %}',
  },
  { name: 'ticket.latest_public_comment_formatted', meaning: 'Newest public comment with the name and time above it' },
  { name: 'ticket.latest_comment_formatted', meaning: 'Newest comment with name and time, also an internal note' },
  { name: 'ticket.public_comments_formatted', meaning: 'All public comments with names and times' },
  { name: 'ticket.comments_formatted', meaning: 'All comments with names and times, internal notes too' },
  { name: 'ticket.latest_public_comment_html', meaning: 'Newest public comment as HTML' },
  { name: 'ticket.latest_comment_html', meaning: 'Newest comment as HTML, also an internal note' },
];

const SATISFACTION: Meanings = [
  ['current_rating', 'Rating that the customer gave'],
  ['current_comment', 'Comment on the rating'],
  ['rating_section', 'Question for a rating, with its address'],
  ['rating_url', 'Address where the customer rates'],
  ['positive_rating_url', 'Address for a good rating'],
  ['negative_rating_url', 'Address for a bad rating'],
];

/** All placeholders of Zendesk, most used first. Names are case-sensitive; empty values print nothing. */
export const PLACEHOLDERS: readonly Placeholder[] = [
  ...under('Ticket', 'ticket', TICKET),
  ...under('Newest public comment', 'ticket.latest_public_comment', COMMENT),
  ...under('Requester', 'ticket.requester', PERSON),
  ...under('Assignee', 'ticket.assignee', PERSON),
  ...under('Who made the change', 'current_user', PERSON),
  ...COMMENTS.map((each) => ({ ...each, group: 'Comments' })),
  ...under('Newest comment, also an internal note', 'ticket.latest_comment', COMMENT),
  ...under('Organization', 'ticket.organization', ORGANIZATION),
  ...under('Organization of the requester', 'ticket.requester.organization', ORGANIZATION),
  ...under('Submitter', 'ticket.submitter', PERSON),
  ...under('Agent addressed', 'agent', PERSON),
  ...under('Satisfaction', 'satisfaction', SATISFACTION),
  { group: 'Dynamic content', name: 'dc.<name>', meaning: 'Dynamic content of your account, by its name' },
];

function under(group: string, parent: string, meanings: Meanings): Placeholder[] {
  return meanings.map(([name, meaning]) => ({ group, name: `${parent}.${name}`, meaning }));
}
