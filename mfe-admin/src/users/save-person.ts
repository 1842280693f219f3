// Saving the form of a person: first the person, then the picture, which needs somebody to belong to.
import type { User } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { describeError, getTexts } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { sendPicture } from '@balcao/ui/screens'
import { toBody, type UserFields } from './form.ts'
import { type TeamMember, toPerson } from './list.ts'

export interface SaveResult {
  readonly person: TeamMember
  readonly oneTimePassword: string | null
}

export async function savePerson(
  fields: UserFields,
  row: TeamMember | null,
  isOwn: boolean,
  version: number | undefined,
  clientId: string,
): Promise<SaveResult> {
  const body = await toBody(fields, { isOwn })
  const saved: User & { readonly oneTimePassword?: string | null } = row
    ? await api('PUT /users/:id', { params: { id: row.id }, body: { ...body, version } })
    : await api('POST /users', { body: { ...body, email: body.email ?? '', clientId } })
  const { oneTimePassword = null, ...user } = saved
  return { person: await toPerson({ ...user, ...(await uploadPicture(fields, user.id)) }), oneTimePassword }
}

async function uploadPicture({ picture }: UserFields, id: number): Promise<Partial<User>> {
  if (!picture) return {}
  try {
    return await sendPicture(id, picture)
  } catch (error) {
    // The person is saved: who saved again would be told that the e-mail is in use, and the one-time password would be lost.
    toast.error(getTexts('users')('pictureFailed', { why: describeError(error) }))
    return {}
  }
}
