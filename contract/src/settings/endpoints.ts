import type { Endpoint } from '../kit/endpoint.ts'
import { Type } from '../kit/schema.ts'
import { Setting, SettingPreview, SettingSaveResult } from './setting.ts'

const Value = Type.String({ maxLength: 10_000 })
const Version = Type.Integer({ minimum: 0, description: 'the version it was read with; 0: never changed' })

export const settingEndpoints = {
  'GET /settings': {
    summary: 'Settings as key and value; secrets, and who changed what last, only for admins',
    answer: Type.Array(Setting),
  },
  'PUT /settings': {
    summary: 'Change several settings, all or none; they take effect at once',
    description:
      'Answers every setting that changed, also those that were switched off because they exclude another. With `versions` a setting that somebody else saved meanwhile is refused with 409 ERR_CHANGED_MEANWHILE and the present settings.',
    audience: 'admin',
    errors: ['ERR_NO_SETTING_FOUND', 'ERR_CHANGED_MEANWHILE'],
    body: Type.Object({
      values: Type.Record(Type.String({ maxLength: 100 }), Value, { maxProperties: 200 }),
      versions: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Version, { maxProperties: 200 })),
    }),
    answer: Type.Array(SettingSaveResult),
  },
  'PUT /settings/:key': {
    summary: 'Change one setting; it takes effect at once',
    audience: 'admin',
    errors: ['ERR_NO_SETTING_FOUND', 'ERR_CHANGED_MEANWHILE'],
    body: Type.Object({ value: Value, version: Type.Optional(Version) }),
    answer: SettingSaveResult,
  },
  'POST /settings/:key/preview': {
    summary: 'Whose live tickets another value would show and hide; nothing is stored',
    audience: 'admin',
    errors: ['ERR_NO_SETTING_FOUND'],
    body: Type.Object({ value: Value }),
    answer: SettingPreview,
  },
} as const satisfies Record<string, Endpoint>
