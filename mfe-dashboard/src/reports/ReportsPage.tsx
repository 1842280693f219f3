import { foldText } from '@balcao/contract/kit/search'
import { REPORTS, type ReportName } from '@balcao/contract/reports/rules'
import { useActions } from '@balcao/ui/actions'
import { addTexts, type Texts, useTexts } from '@balcao/ui/i18n'
import { Button, EmptyState, Page, SearchInput } from '@balcao/ui/parts'
import { useJobs } from '@balcao/ui/screens'
import { Search } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import pt from '../../locales/reports/pt.json'
import { Finished } from './Finished.tsx'
import { isReport, toJobKind } from './kinds.ts'
import { ReportCard } from './ReportCard.tsx'
import { SamplePage } from './SamplePage.tsx'

addTexts('reports', {
  pt,
  en: () => import('../../locales/reports/en.json'),
  es: () => import('../../locales/reports/es.json'),
})

/** The five reports (spec 3 §2): each a form that folds away, with what became of it last; below them those that are ready, beside them what one looks like. */
export default function ReportsPage() {
  const t = useTexts('reports')
  const [search, setSearch] = useState('')
  const [sample, setSample] = useState<ReportName>(REPORTS[0])
  const { jobs, ...doing } = useJobs()
  const field = useRef<HTMLInputElement>(null)
  useActions(useMemo(() => [registerSearch(() => field.current?.focus())], []))
  const shown = REPORTS.filter(report => isMeant(report, search, t))
  const own = jobs.filter(isReport)
  return (
    <Page title={t('title')} intro={t('intro')}>
      <div className="grid grid-cols-[minmax(0,744px)] gap-x-8 xl:grid-cols-[minmax(0,744px)_320px]">
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
          <SearchInput
            ref={field}
            label={t('search')}
            shortcut="/"
            value={search}
            onChange={setSearch}
            maxLength={100}
            className="w-full bg-surface sm:w-80"
          />
          {REPORTS.map(report => (
            <div key={report} hidden={!shown.includes(report)}>
              <ReportCard
                report={report}
                job={own.find(({ kind }) => kind === toJobKind(report)) ?? null}
                startsOpen={report === REPORTS[0]}
                onOpen={() => setSample(report)}
                {...doing}
              />
            </div>
          ))}
          {shown.length === 0 && (
            <EmptyState icon={Search} title={t('nothing', { search })} text={t('checkSpelling')}>
              <Button onClick={() => setSearch('')}>{t('clearSearch')}</Button>
            </EmptyState>
          )}
          <Finished jobs={own} {...doing} />
        </div>
        <div className="sticky top-0 self-start max-xl:hidden">
          <SamplePage report={sample} />
        </div>
      </div>
    </Page>
  )
}

/** By its name and what it says of itself. */
function isMeant(report: ReportName, search: string, t: Texts): boolean {
  const text = foldText(`${t(`report.${report}.title`)} ${t(`report.${report}.text`)}`)
  return foldText(search)
    .split(/\s+/)
    .every(word => text.includes(word))
}

function registerSearch(perform: () => void) {
  const names = { id: 'reports.search', labelKey: 'reports:search', groupKey: 'reports:title' }
  return { ...names, icon: Search, shortcut: '/', perform }
}
