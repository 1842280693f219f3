import type { RequestBody } from '@balcao/contract'
import { REPORT_LOOK_ROWS, REPORT_ROWS, type ReportName } from '@balcao/contract/reports/rules'
import { useQuery } from '@balcao/ui/ask'
import { formatNumber, useTexts } from '@balcao/ui/i18n'
import { previewReport } from './calls.ts'

interface SizeLineProps {
  readonly report: ReportName
  /** Null while the form cannot be sent. */
  readonly body: RequestBody<'POST /report/ticket'> | null
}

const REST_MS = 500

/** How large it would be, before it is begun; nothing while that is not known. */
export function SizeLine({ report, body }: SizeLineProps) {
  const { now } = useQuery(body && JSON.stringify(body), async signal => body && previewReport(report, body, signal), {
    waitMs: REST_MS,
  })
  return (
    <p className="m-0 mr-auto text-cell text-text-2 max-sm:w-full" role="status">
      {now && body && <Size report={report} format={body.format ?? 'pdf'} {...now} />}
    </p>
  )
}

interface SizeProps {
  readonly report: ReportName
  readonly format: keyof typeof REPORT_ROWS
  readonly rows: number
  readonly pages: number
}

function Size({ report, format, rows, pages }: SizeProps) {
  const t = useTexts('reports')
  if (rows === 0) return t('none')
  const most = REPORT_ROWS[format]
  const many = rows >= REPORT_LOOK_ROWS ? t('moreThan', { count: REPORT_LOOK_ROWS }) : formatNumber(rows)
  return (
    <>
      <strong className="font-semibold text-ink">
        {many} {t(`rows.${report}`, { count: rows })}
      </strong>{' '}
      {format === 'pdf' ? t('aboutPages', { count: pages }) : t('inCut')}
      {rows > most && ` ${t('firstOnes', { count: most })}`}
    </>
  )
}
