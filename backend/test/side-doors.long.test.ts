import './side-doors.test.ts'
