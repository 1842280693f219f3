import type { Connection } from '@balcao/contract'
import { NEWS } from '@balcao/contract/connections/news-codes'
import { api } from '@balcao/ui/api'
import { describeError, formatMoment } from '@balcao/ui/i18n'
import { describeNews, filterUnseenNews, useNewsTexts } from '@balcao/ui/news'
import { Button, joinClasses, toast } from '@balcao/ui/parts'
import { useId, useState } from 'react'
import type { ConnectionPage } from './actions.ts'

const DOTS = { good: 'bg-ok', note: 'bg-primary', bad: 'bg-danger' }

/** What the provider told of the account by itself, newest first; what nobody has seen yet is strong. */
export function News({ connection, desk }: { readonly connection: Connection; readonly desk: ConnectionPage }) {
  const t = useNewsTexts()
  const id = useId()
  const [busy, setBusy] = useState(false)
  const { news, newsSeenAt } = connection
  const unseen = filterUnseenNews(news, newsSeenAt)
  if (news.length === 0) return null
  // What nobody has seen stands here however old it is: it may have been told late.
  const shown = news.filter((one, place) => place < SHOWN || unseen.includes(one))

  async function see() {
    setBusy(true)
    try {
      desk.put(await api('PUT /whatsapp/:id/news', { params: { id: connection.id } }))
    } catch (error) {
      toast.error(describeError(error))
    }
    setBusy(false)
  }

  return (
    <section aria-labelledby={id} className="mt-3 border-t border-line pt-3 text-small text-text-2">
      <div className="flex items-center justify-between gap-2">
        <h3 id={id} className="font-semibold text-ink">
          {t('title')}
        </h3>
        {unseen.length > 0 && (
          <Button kind="plain" busy={busy} onClick={() => void see()}>
            {t('seen')}
          </Button>
        )}
      </div>
      <ul className="mt-1 flex flex-col gap-1">
        {shown.map(one => (
          <li key={`${one.at} ${one.code} ${one.about}`} className="flex items-baseline gap-2 max-sm:flex-wrap">
            <span className={joinClasses('size-2 flex-none rounded-full', DOTS[NEWS[one.code]])} aria-hidden="true" />
            <span
              className={joinClasses(
                'min-w-0 flex-1 break-words max-sm:basis-[calc(100%-1rem)]',
                unseen.includes(one) && 'font-semibold text-ink',
              )}
            >
              {describeNews(one, t)}
            </span>
            <time dateTime={one.at} className="max-sm:pl-4">
              {formatMoment(one.at)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}

const SHOWN = 5
