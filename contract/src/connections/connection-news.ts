import { type Static, StringEnum, Type } from '../kit/schema.ts'
import { NEWS, type NewsCode } from './news-codes.ts'

/**
 * `at`: when it happened, by the provider. `storedAt`: when we were told, which may be hours later. `about`: a template, a limit, a name
 * or a number, as the provider writes it. `name`: what the provider calls the news.
 */
export const ConnectionNews = Type.Object({
  code: Type.Unsafe<NewsCode>(StringEnum(Object.keys(NEWS))),
  at: Type.String(),
  storedAt: Type.Optional(Type.String()),
  about: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
})
export type ConnectionNews = Static<typeof ConnectionNews>
