// The five reports (spec 3 §2 "Reports"): what each is called on the wire, and its job.
import type { Job } from '@balcao/contract'
import type { ReportName } from '@balcao/contract/reports/rules'
import { Contact, FileDown, List, type LucideIcon, MessagesSquare, Users } from 'lucide-react'

export const REPORT_ICONS: Readonly<Record<ReportName, LucideIcon>> = {
  ticket: MessagesSquare,
  contact: Contact,
  queue: List,
  user: Users,
  message: FileDown,
}

export function isReport({ kind }: Pick<Job, 'kind'>): boolean {
  return kind.startsWith('report.')
}

/** The job that makes a report. */
export function toJobKind(report: ReportName): string {
  return `report.${report}`
}

/** What can be done about one. */
export interface ReportJobs {
  readonly cancel: (job: Job) => void
  readonly download: (job: Job) => void
  /** Opens it in a tab of its own. */
  readonly show: (job: Job) => void
}
