export default function SchedulesPage() {
  return null
}
