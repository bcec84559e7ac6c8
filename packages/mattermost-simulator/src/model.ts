// Rows as the API shows them, in snake case. What only the database holds is in fields that `render.ts` leaves out.
export interface User {
  id: string;
  create_at: number;
  update_at: number;
  delete_at: number;
  username: string;
  email: string;
  nickname: string;
  first_name: string;
  last_name: string;
  position: string;
  roles: string;
  is_bot: boolean;
  password: string;
  last_password_update: number;
  last_login: number;
  last_activity_at: number;
}

export interface Bot {
  user_id: string;
  username: string;
  display_name: string;
  description: string;
  owner_id: string;
  create_at: number;
  update_at: number;
  delete_at: number;
}

export interface Session {
  id: string;
  /** The credential of its requests: of its own, or the personal token that made it. */
  token: string;
  user_id: string;
  create_at: number;
  is_oauth: boolean;
}

export interface PersonalToken {
  id: string;
  token: string;
  user_id: string;
  description: string;
  is_active: boolean;
}

export interface Team {
  id: string;
  create_at: number;
  update_at: number;
  delete_at: number;
  name: string;
  display_name: string;
  type: string;
  email: string;
  invite_id: string;
}

export interface TeamMember {
  team_id: string;
  user_id: string;
  delete_at: number;
  scheme_admin: boolean;
}

export interface Channel {
  id: string;
  create_at: number;
  update_at: number;
  delete_at: number;
  team_id: string;
  /** O is public, P private, D direct, G a group. */
  type: string;
  name: string;
  display_name: string;
  creator_id: string;
  last_post_at: number;
  total_msg_count: number;
}

export interface ChannelMember {
  channel_id: string;
  user_id: string;
  last_update_at: number;
  scheme_admin: boolean;
}

/** A message, or an earlier version of one, which has `original_id`. */
export interface Post {
  id: string;
  create_at: number;
  update_at: number;
  edit_at: number;
  delete_at: number;
  is_pinned: boolean;
  user_id: string;
  channel_id: string;
  root_id: string;
  original_id: string;
  message: string;
  type: string;
  props: Readonly<Record<string, unknown>>;
  file_ids: readonly string[];
}

export interface FileInfo {
  id: string;
  user_id: string;
  post_id: string;
  channel_id: string;
  create_at: number;
  update_at: number;
  delete_at: number;
  name: string;
  extension: string;
  size: number;
  mime_type: string;
}

export interface Reaction {
  user_id: string;
  post_id: string;
  emoji_name: string;
  create_at: number;
  channel_id: string;
}

/** What the list of threads shows of a root; it is counted up, not counted. */
export interface Thread {
  post_id: string;
  reply_count: number;
  last_reply_at: number;
  participants: string[];
}

export interface Audit {
  id: string;
  create_at: number;
  user_id: string;
  action: string;
  extra_info: string;
  ip_address: string;
  session_id: string;
}
