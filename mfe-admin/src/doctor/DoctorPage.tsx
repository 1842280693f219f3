import { type CheckUp, SHOP_FINDINGS } from '@balcao/contract'
import { api, isApiError } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { addTexts, describeError, formatTime, type Texts, useTexts } from '@balcao/ui/i18n'
import { Banner, Button, ErrorState, Page, RowSkeletons } from '@balcao/ui/parts'
import { RefreshCw, TriangleAlert } from 'lucide-react'
import pt from '../../locales/doctor/pt.json'
import { ForServer } from './ForServer.tsx'
import { ForShop } from './ForShop.tsx'
import { isWrong } from './findings.tsx'

addTexts('doctor', {
  pt,
  en: () => import('../../locales/doctor/en.json'),
  es: () => import('../../locales/doctor/es.json'),
})

/** How the installation is doing: what the shop puts right alone, then what needs whoever runs the server. */
export default function DoctorPage() {
  const t = useTexts('doctor')
  const { now, last, error, again } = useQuery('doctor', signal => api('GET /doctor', { signal }))
  const checkUp = now ?? last
  const isAsking = now === null && error === null
  return (
    <Page
      title={t('title')}
      intro={checkUp ? describeCheckUp(checkUp, t) : t('intro')}
      actions={
        <Button icon={RefreshCw} busy={isAsking} onClick={again}>
          {t('again')}
        </Button>
      }
    >
      {checkUp ? (
        <div className="grid max-w-[744px] grid-cols-[minmax(0,1fr)] gap-3">
          {error !== null && (
            <Banner kind="danger" icon={TriangleAlert}>
              {t('againFailed', { why: describeError(error) })}
            </Banner>
          )}
          <Findings checkUp={checkUp} />
        </div>
      ) : error === null ? (
        <RowSkeletons rows={8} />
      ) : (
        <ErrorState
          title={t('failed')}
          text={describeError(error)}
          onRetry={again}
          {...(isApiError(error) && error.retryAfter !== undefined && { retryIn: error.retryAfter })}
        />
      )}
    </Page>
  )
}

function describeCheckUp({ findings, checkedAt, tookMs, version }: CheckUp, t: Texts): string {
  const wrong = findings.filter(each => SHOP_FINDINGS.includes(each.code) && isWrong(each)).length
  const summary = wrong === 0 ? t('allWell') : t('wrong', { count: wrong })
  return `${summary} ${t('checked', { at: formatTime(checkedAt), seconds: Math.max(1, Math.round(tookMs / 1000)), version })}`
}

function Findings({ checkUp }: { readonly checkUp: CheckUp }) {
  const { findings } = checkUp
  const shop = SHOP_FINDINGS.flatMap(code => findings.filter(each => each.code === code))
  return (
    <>
      <ForShop checkUp={checkUp} findings={shop} />
      <ForServer checkUp={checkUp} findings={findings.filter(({ code }) => !SHOP_FINDINGS.includes(code))} />
    </>
  )
}
