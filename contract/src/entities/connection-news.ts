import { NEWS, type NewsCode } from '../connection-news.ts'
import { OneOf, type Static, Type } from '../schema.ts'

/** `about`: a template, a limit, a name or a number, as the provider writes it. `name`: what the provider calls the news. */
export const ConnectionNews = Type.Object({
  code: Type.Unsafe<NewsCode>(OneOf(Object.keys(NEWS))),
  at: Type.String(),
  about: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
})
export type ConnectionNews = Static<typeof ConnectionNews>
