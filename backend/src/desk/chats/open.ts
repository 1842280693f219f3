// Opening a chat with somebody, making a group, and changing who is in it.
import { type Chat, type RequestBody, stripDirectionMarks } from '@balcao/contract'
import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { appendEvent } from '../../platform/live/append.ts'
import { createOnce } from '../../policy/kit/made-once.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { lockWritableChat } from './access.ts'
import { getChat } from './list.ts'
import { loadChats, publishChatEvents, toViewerChat, updateChat } from './present.ts'
import { chatMembers, chats } from './table.ts'

type NewChat = RequestBody<'POST /chats'>
type People = NonNullable<NewChat['users']>

/**
 * A direct chat with one person, the existing one if there is one, or a new group (spec 1 §4, §5). A group without a name is called
 * by the first names in it; the same `clientId` again gives the same group, with what is written by now. Throws `ERR_CHAT_WITH_ONESELF`, `ERR_VALIDATION`, `ERR_NO_USER_FOUND`.
 */
export async function openChat(parts: Parts, session: Session, { clientId, ...body }: NewChat): Promise<Chat> {
  const me = session.viewer.id
  const userIds = listUserIds([...(body.users ?? []), ...(body.callingUserId ? [body.callingUserId] : [])])
  const others = userIds.filter(id => id !== me)
  if (others.length === 0) {
    if (userIds.length > 0 && !body.isGroup) throw new AppError('ERR_CHAT_WITH_ONESELF')
    throw createFieldError('users', 'call.chatPeople')
  }
  const [other] = others
  if (!body.isGroup && others.length > 1) throw createFieldError('users', 'call.chatDirect')
  // A direct chat is there once by itself.
  const form = { clientId: body.isGroup ? clientId : undefined, content: body }
  return createOnce(parts, session, 'chat', form, make, again)

  async function make(tx: Tx) {
    await checkPeople(tx, session, others)
    const { id, isNew } =
      body.isGroup || other === undefined
        ? await makeGroup(tx, me, others, toGroupName(body.groupName))
        : await directWith(tx, me, other)
    if (isNew && body.isGroup) await writeLog(tx, { action: 'chat.create', userId: me, entityId: id })
    const chat = isNew ? await publishChatEvents(tx, id, 'create') : (await loadChats(tx, [id]))[0]
    if (!chat) throw new AppError('ERR_NO_CHAT_FOUND')
    return toViewerChat(chat, me)
  }

  function again(id: number, isSame: boolean) {
    const groupName = toGroupName(body.groupName)
    const written = { users: others, ...(groupName !== '' && { groupName }) }
    return isSame ? getChat(parts.db, session, id) : changeChat(parts, session, id, written)
  }
}

/**
 * Changes the members or the name of a group; who changes it stays in it. `users`: these and no others. Without them who is added comes in
 * and who is removed goes, whoever else is in it by now. Whoever leaves is told that it is gone, whoever joins sees
 * all of it, with nothing unread. Throws `ERR_NO_CHAT_FOUND`, `ERR_NO_PERMISSION`, `ERR_VALIDATION`, `ERR_NO_USER_FOUND`.
 */
export async function changeChat(
  parts: Parts,
  session: Session,
  id: number,
  { users, add = [], remove = [], groupName }: RequestBody<'PUT /chats/:id'>,
): Promise<Chat> {
  const me = session.viewer.id
  return change(parts, async tx => {
    const chat = await lockWritableChat(tx, session, id)
    if (!chat.isGroup) throw createFieldError('users', 'call.chatFixed')
    const gone = new Set(toIds(remove))
    const others = users ? toIds(users) : [...chat.userIds.filter(userId => !gone.has(userId)), ...toIds(add)]
    const wanted = [...new Set([me, ...others])]
    if (wanted.length < 2) throw createFieldError('users', 'call.groupPeople')
    const renamed = toGroupName(groupName)
    if (groupName !== undefined && renamed === '') throw createFieldError('groupName', 'call.groupName')
    const joining = wanted.filter(userId => !chat.userIds.includes(userId))
    const leaving = chat.userIds.filter(userId => !wanted.includes(userId))
    await checkPeople(tx, session, joining)
    await tx.delete(chatMembers).where(and(eq(chatMembers.chatId, id), inArray(chatMembers.userId, leaving)))
    await addMembers(tx, id, joining)
    const changed = await updateChat(tx, id, renamed === '' ? {} : { groupName: renamed })
    const farewell = { event: 'chat', action: 'delete', version: changed.version, chatId: id } as const
    await writeLog(tx, { action: 'chat.update', userId: me, entityId: id })
    if (leaving.length > 0) await appendEvent(tx, { to: 'users', userIds: leaving }, farewell)
    return toViewerChat(changed, me)
  })
}

function toGroupName(written: string | null | undefined): string {
  return stripDirectionMarks(written ?? '').trim()
}

/** There is one chat for two people: of two who open it at once, the second gets the first one's. */
async function directWith(tx: Tx, me: number, other: number): Promise<{ id: number; isNew: boolean }> {
  const pair = { userId: me, callingUserId: other }
  const [made] = await tx.insert(chats).values(pair).onConflictDoNothing().returning({ id: chats.id })
  if (made) {
    await addMembers(tx, made.id, [me, other])
    return { id: made.id, isNew: true }
  }
  const [known] = await getSql(tx)<{ id: number }[]>`
    select id from chat where not is_group and least(user_id, calling_user_id) = ${Math.min(me, other)}
      and greatest(user_id, calling_user_id) = ${Math.max(me, other)}`
  if (!known) throw new AppError('ERR_NO_CHAT_FOUND')
  return { id: known.id, isNew: false }
}

async function makeGroup(tx: Tx, me: number, others: readonly number[], name: string) {
  const sql = getSql(tx)
  const [made] = await sql<{ id: number }[]>`
    insert into chat (is_group, user_id, group_name)
    values (true, ${me}, coalesce(nullif(${name}, ''), (
      select left(string_agg(split_part(name, ' ', 1), ', ' order by name), 255) from "user"
      where id = any(${[me, ...others]}::int[])))) returning id`
  if (!made) throw new AppError('ERR_NO_CHAT_FOUND')
  await addMembers(tx, made.id, [me, ...others])
  return { id: made.id, isNew: true }
}

async function addMembers(tx: Tx, chatId: number, userIds: readonly number[]): Promise<void> {
  await getSql(tx)`
    insert into chat_member (chat_id, user_id, read_seq, last_message_at)
    select c.id, u.id, c.message_seq, c.last_message_at from chat c, unnest(${[...userIds]}::int[]) as u(id)
    where c.id = ${chatId}`
}

/** Only members of the team can be asked in; the owner is hidden from everybody else (decisions §1). */
async function checkPeople(tx: Tx, { viewer }: Session, ids: readonly number[]): Promise<void> {
  const rows = await getSql(tx)`
    select 1 from "user" where id = any(${[...ids]}::int[]) and active and deleted_at is null
      and (id <> 1 or ${viewer.id} = 1)`
  if (rows.length < ids.length) throw new AppError('ERR_NO_USER_FOUND')
}

function listUserIds(people: People): number[] {
  return [...new Set(toIds(people))]
}
