import { isPublicSetting, settingTexts } from '@balcao/contract'
import { type Route, serve } from '../http/serve.ts'
import type { Parts } from '../parts.ts'
import { maskedToken } from './api-token.ts'
import { changeSetting } from './change.ts'

export function settingRoutes(parts: Parts): Route[] {
  return [
    serve('GET /settings', ({ session }) =>
      settingTexts(session.settings)
        .filter(([key]) => session.viewer.profile === 'admin' || isPublicSetting(key))
        .map(([key, value]) => ({ key, value: key === 'userApiToken' ? maskedToken(value) : value })),
    ),
    serve('PUT /settings/:key', ({ session, params, body }) => changeSetting(parts, session, params.key, body.value)),
  ]
}
