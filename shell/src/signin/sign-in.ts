import { api } from '@balcao/ui/api'
import { getTexts } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { keepToken } from '@balcao/ui/session'
import { enter, oneTime } from '../session/enter.ts'
import { endLeaving } from '../session/leaving.ts'

/**
 * Signs in with what the person typed; throws `ApiError`. The cookie of a session that was left goes along, and the server ends it: no
 * goodbye comes between, or it would meet the new one.
 */
export async function signIn(email: string, password: string) {
  const answer = await endLeaving(() => api('POST /auth/login', { body: { email, password } }))
  keepToken(answer.token)
  enter(answer)
  if (answer.user.mustChangePassword) oneTime().password = password
  toast.success(getTexts('shell')('signin.success'))
}
