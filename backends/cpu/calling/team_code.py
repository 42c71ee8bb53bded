"""The program of the team that runs the iterations of parallel loops, in MLIR."""

CODE = """
llvm.func @sched_yield() -> i32
llvm.func @clock_gettime(i32, !llvm.ptr) -> i32
llvm.func @pthread_mutex_lock(!llvm.ptr) -> i32
llvm.func @pthread_mutex_unlock(!llvm.ptr) -> i32
llvm.func @pthread_cond_signal(!llvm.ptr) -> i32
llvm.func @pthread_cond_wait(!llvm.ptr, !llvm.ptr) -> i32

// Each on cache lines of its own.  The gate: how many workers are inside (16 bits), whether it is
// open (1 bit), the number of the loop.
llvm.mlir.global internal @gate(dense<0> : tensor<16xi64>) {alignment = 128 : i64}
  : !llvm.array<16 x i64>
// The loop: its function, what that is given, its iterations, threads, pieces of each thread, the
// number of iterations that pieces begin at multiples of.
llvm.mlir.global internal @loop(dense<0> : tensor<16xi64>) {alignment = 128 : i64}
  : !llvm.array<16 x i64>
// Whether there is one, what short loops have missed, when the last one of them came.
llvm.mlir.global internal @busy(dense<0> : tensor<16xi64>) {alignment = 128 : i64}
  : !llvm.array<16 x i64>
// The workers, those that are awake, how long they look for work, the threads of a loop that says
// nothing of them.
llvm.mlir.global internal @workers(dense<0> : tensor<16xi64>) {alignment = 128 : i64}
  : !llvm.array<16 x i64>
// The next piece of each thread.
llvm.mlir.global internal @pieces(dense<0> : tensor<MEMBERSxi64>) {alignment = 128 : i64}
  : !llvm.array<MEMBERS x i64>
// Of each worker: whether it sleeps, the core that it keeps off, its handle, a mutex, a condition.
llvm.mlir.global internal @sleepers(dense<0> : tensor<SLEEPERSxi64>) {alignment = 128 : i64}
  : !llvm.array<SLEEPERS x i64>
// The cores that the process may use.
llvm.mlir.global internal @cores(dense<0> : tensor<16xi64>) {alignment = 128 : i64}
  : !llvm.array<16 x i64>

func.func private @now() -> i64 {
  %one = arith.constant 1 : i64
  %clock = arith.constant CLOCK : i32
  %second = arith.constant 1000000000 : i64
  %room = llvm.alloca %one x !llvm.array<2 x i64> : (i64) -> !llvm.ptr
  %ignored = llvm.call @clock_gettime(%clock, %room) : (i32, !llvm.ptr) -> i32
  %rest = llvm.getelementptr %room[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %seconds = llvm.load %room : !llvm.ptr -> i64
  %nanoseconds = llvm.load %rest : !llvm.ptr -> i64
  %whole = arith.muli %seconds, %second : i64
  %sum = arith.addi %whole, %nanoseconds : i64
  return %sum : i64
}

// The iteration that a piece begins with.
func.func private @first(%piece: i64, %all: i64) -> i64 {
  %iterations_at = llvm.mlir.addressof @loop : !llvm.ptr
  %at = llvm.getelementptr %iterations_at[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %grain_at = llvm.getelementptr %iterations_at[5] : (!llvm.ptr) -> !llvm.ptr, i64
  %iterations = llvm.load %at : !llvm.ptr -> i64
  %grain = llvm.load %grain_at : !llvm.ptr -> i64
  %product = arith.muli %iterations, %piece : i64
  %exact = arith.divui %product, %all : i64
  %over = arith.remui %exact, %grain : i64
  %round = arith.subi %exact, %over : i64
  %is_end = arith.cmpi eq, %piece, %all : i64
  %result = arith.select %is_end, %iterations, %round : i64
  return %result : i64
}

// Runs pieces until none is left: those of this thread, then those that others have not begun.
func.func private @take_part(%self: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %line = arith.constant 16 : i64
  %loop = llvm.mlir.addressof @loop : !llvm.ptr
  %data_at = llvm.getelementptr %loop[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %threads_at = llvm.getelementptr %loop[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %each_at = llvm.getelementptr %loop[4] : (!llvm.ptr) -> !llvm.ptr, i64
  %task = llvm.load %loop : !llvm.ptr -> !llvm.ptr
  %data = llvm.load %data_at : !llvm.ptr -> !llvm.ptr
  %threads = llvm.load %threads_at : !llvm.ptr -> i64
  %each = llvm.load %each_at : !llvm.ptr -> i64
  %all = arith.muli %threads, %each : i64
  %pieces = llvm.mlir.addressof @pieces : !llvm.ptr
  scf.for %i = %zero to %threads step %one : i64 {
    %further = arith.addi %self, %i : i64
    %owner = arith.remui %further, %threads : i64
    %place = arith.muli %owner, %line : i64
    %next = llvm.getelementptr %pieces[%place] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %before = arith.muli %owner, %each : i64
    scf.while : () -> () {
      %mine = llvm.atomicrmw add %next, %one monotonic : !llvm.ptr, i64
      %is = arith.cmpi ult, %mine, %each : i64
      scf.if %is {
        %piece = arith.addi %before, %mine : i64
        %following = arith.addi %piece, %one : i64
        %low = func.call @first(%piece, %all) : (i64, i64) -> i64
        %high = func.call @first(%following, %all) : (i64, i64) -> i64
        llvm.call %task(%data, %low, %high) : !llvm.ptr, (!llvm.ptr, i64, i64) -> ()
      }
      scf.condition(%is)
    } do {
      scf.yield
    }
  }
  return
}

// The number of a loop that a worker has not seen; 0 while there is none.
func.func private @unseen(%seen: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %sixteen = arith.constant 16 : i64
  %gate = llvm.mlir.addressof @gate : !llvm.ptr
  %value = llvm.load %gate atomic seq_cst {alignment = 8 : i64} : !llvm.ptr -> i64
  %upper = arith.shrui %value, %sixteen : i64
  %low = arith.andi %upper, %one : i64
  %open = arith.cmpi eq, %low, %one : i64
  %number = arith.shrui %upper, %one : i64
  %new = arith.cmpi ne, %number, %seen : i64
  %is = arith.andi %open, %new : i1
  %result = arith.select %is, %number, %zero : i64
  return %result : i64
}

func.func private @look(%seen: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %times = arith.constant 50 : i64
  %hint = arith.constant 1 : i32
  %found, %count = scf.while (%i = %zero) : (i64) -> (i64, i64) {
    %number = func.call @unseen(%seen) : (i64) -> i64
    %none = arith.cmpi eq, %number, %zero : i64
    %more = arith.cmpi ult, %i, %times : i64
    %again = arith.andi %none, %more : i1
    scf.condition(%again) %number, %i : i64, i64
  } do {
  ^bb0(%number: i64, %i: i64):
    PAUSE
    %next = arith.addi %i, %one : i64
    scf.yield %next : i64
  }
  return %found : i64
}

// A worker sleeps until it is woken, unless there is a loop.
func.func private @sleep(%self: i64, %seen: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %size = arith.constant 32 : i64
  %sleepers = llvm.mlir.addressof @sleepers : !llvm.ptr
  %place = arith.muli %self, %size : i64
  %own = llvm.getelementptr %sleepers[%place] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %mutex = llvm.getelementptr %own[8] : (!llvm.ptr) -> !llvm.ptr, i64
  %condition = llvm.getelementptr %own[16] : (!llvm.ptr) -> !llvm.ptr, i64
  %workers = llvm.mlir.addressof @workers : !llvm.ptr
  %awake = llvm.getelementptr %workers[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %a = llvm.call @pthread_mutex_lock(%mutex) : (!llvm.ptr) -> i32
  %was = llvm.atomicrmw xchg %own, %one seq_cst : !llvm.ptr, i64
  %fewer = llvm.atomicrmw sub %awake, %one seq_cst : !llvm.ptr, i64
  %number = func.call @unseen(%seen) : (i64) -> i64
  %is = arith.cmpi ne, %number, %zero : i64
  scf.if %is {
    llvm.store %zero, %own atomic seq_cst {alignment = 8 : i64} : i64, !llvm.ptr
    %more = llvm.atomicrmw add %awake, %one seq_cst : !llvm.ptr, i64
  }
  scf.while : () -> () {
    %state = llvm.load %own atomic seq_cst {alignment = 8 : i64} : !llvm.ptr -> i64
    %asleep = arith.cmpi eq, %state, %one : i64
    scf.condition(%asleep)
  } do {
    %b = llvm.call @pthread_cond_wait(%condition, %mutex) : (!llvm.ptr, !llvm.ptr) -> i32
    scf.yield
  }
  %c = llvm.call @pthread_mutex_unlock(%mutex) : (!llvm.ptr) -> i32
  return
}

KEEP_APART
func.func private @wake(%worker: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %size = arith.constant 32 : i64
  %sleepers = llvm.mlir.addressof @sleepers : !llvm.ptr
  %place = arith.muli %worker, %size : i64
  %its = llvm.getelementptr %sleepers[%place] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %state = llvm.load %its atomic seq_cst {alignment = 8 : i64} : !llvm.ptr -> i64
  %asleep = arith.cmpi eq, %state, %one : i64
  scf.if %asleep {
    %mutex = llvm.getelementptr %its[8] : (!llvm.ptr) -> !llvm.ptr, i64
    %condition = llvm.getelementptr %its[16] : (!llvm.ptr) -> !llvm.ptr, i64
    %workers = llvm.mlir.addressof @workers : !llvm.ptr
    %awake = llvm.getelementptr %workers[1] : (!llvm.ptr) -> !llvm.ptr, i64
    func.call @keep_apart(%its) : (!llvm.ptr) -> ()
    %a = llvm.call @pthread_mutex_lock(%mutex) : (!llvm.ptr) -> i32
    %was = llvm.atomicrmw xchg %its, %zero seq_cst : !llvm.ptr, i64
    %more = llvm.atomicrmw add %awake, %was seq_cst : !llvm.ptr, i64
    %b = llvm.call @pthread_mutex_unlock(%mutex) : (!llvm.ptr) -> i32
    %c = llvm.call @pthread_cond_signal(%condition) : (!llvm.ptr) -> i32
  }
  return
}

// The number of the next loop, which a worker waits for.
func.func private @await(%self: i64, %seen: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %workers = llvm.mlir.addressof @workers : !llvm.ptr
  %patience_at = llvm.getelementptr %workers[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %patience = llvm.load %patience_at : !llvm.ptr -> i64
  %begin = func.call @now() : () -> i64
  %found, %last = scf.while (%since = %begin) : (i64) -> (i64, i64) {
    %number = func.call @look(%seen) : (i64) -> i64
    %none = arith.cmpi eq, %number, %zero : i64
    scf.condition(%none) %number, %since : i64, i64
  } do {
  ^bb0(%number: i64, %since: i64):
    %ignored = llvm.call @sched_yield() : () -> i32
    %now = func.call @now() : () -> i64
    %waited = arith.subi %now, %since : i64
    %tired = arith.cmpi sge, %waited, %patience : i64
    %next = scf.if %tired -> i64 {
      func.call @sleep(%self, %seen) : (i64, i64) -> ()
      %then = func.call @now() : () -> i64
      scf.yield %then : i64
    } else {
      scf.yield %since : i64
    }
    scf.yield %next : i64
  }
  return %found : i64
}

// A worker goes through the gate, unless the loop with this number is over.
func.func private @enter(%number: i64) -> i1 {
  %one = arith.constant 1 : i64
  %sixteen = arith.constant 16 : i64
  %false = arith.constant false
  %true = arith.constant true
  %twice = arith.shli %number, %one : i64
  %wanted = arith.ori %twice, %one : i64
  %gate = llvm.mlir.addressof @gate : !llvm.ptr
  %begin = llvm.load %gate atomic seq_cst {alignment = 8 : i64} : !llvm.ptr -> i64
  %inside, %last = scf.while (%value = %begin) : (i64) -> (i1, i64) {
    %upper = arith.shrui %value, %sixteen : i64
    %open = arith.cmpi eq, %upper, %wanted : i64
    %again, %in, %next = scf.if %open -> (i1, i1, i64) {
      %more = arith.addi %value, %one : i64
      %tried = llvm.cmpxchg %gate, %value, %more seq_cst seq_cst : !llvm.ptr, i64
      %old = llvm.extractvalue %tried[0] : !llvm.struct<(i64, i1)>
      %done = llvm.extractvalue %tried[1] : !llvm.struct<(i64, i1)>
      %failed = arith.xori %done, %true : i1
      scf.yield %failed, %done, %old : i1, i1, i64
    } else {
      scf.yield %false, %false, %value : i1, i1, i64
    }
    scf.condition(%again) %in, %next : i1, i64
  } do {
  ^bb0(%in: i1, %next: i64):
    scf.yield %next : i64
  }
  return %inside : i1
}

func.func private @help(%self: i64, %number: i64) {
  %one = arith.constant 1 : i64
  %inside = func.call @enter(%number) : (i64) -> i1
  scf.if %inside {
    %loop = llvm.mlir.addressof @loop : !llvm.ptr
    %threads_at = llvm.getelementptr %loop[3] : (!llvm.ptr) -> !llvm.ptr, i64
    %threads = llvm.load %threads_at : !llvm.ptr -> i64
    %member = arith.addi %self, %one : i64
    %is = arith.cmpi ult, %member, %threads : i64
    scf.if %is {
      func.call @take_part(%member) : (i64) -> ()
    }
    %gate = llvm.mlir.addressof @gate : !llvm.ptr
    %left = llvm.atomicrmw sub %gate, %one seq_cst : !llvm.ptr, i64
  }
  return
}

func.func @agir_worker(%argument: !llvm.ptr) -> !llvm.ptr {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %true = arith.constant true
  %self = llvm.ptrtoint %argument : !llvm.ptr to i64
  %workers = llvm.mlir.addressof @workers : !llvm.ptr
  %awake = llvm.getelementptr %workers[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %more = llvm.atomicrmw add %awake, %one seq_cst : !llvm.ptr, i64
  %last = scf.while (%seen = %zero) : (i64) -> i64 {
    %number = func.call @await(%self, %seen) : (i64, i64) -> i64
    func.call @help(%self, %number) : (i64, i64) -> ()
    scf.condition(%true) %number : i64
  } do {
  ^bb0(%number: i64):
    scf.yield %number : i64
  }
  return %argument : !llvm.ptr
}

// How many threads a loop is for, whoever is there.
func.func private @members(%iterations: i64, %work: i64, %most: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %share = arith.constant SHARE : i64
  %workers = llvm.mlir.addressof @workers : !llvm.ptr
  %helping = llvm.load %workers : !llvm.ptr -> i64
  %present = arith.addi %helping, %one : i64
  %usual_at = llvm.getelementptr %workers[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %usual = llvm.load %usual_at : !llvm.ptr -> i64
  %unsaid = arith.cmpi eq, %most, %zero : i64
  %wanted = arith.select %unsaid, %usual, %most : i64
  %shares = arith.divsi %work, %share : i64
  %a = arith.minsi %present, %wanted : i64
  %b = arith.minsi %a, %iterations : i64
  %c = arith.minsi %b, %shares : i64
  return %c : i64
}

// Runs a short loop, and counts half of its time, but for a quarter of the time since the last one,
// as missed.
func.func private @alone(%task: !llvm.ptr, %data: !llvm.ptr, %iterations: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %busy = llvm.mlir.addressof @busy : !llvm.ptr
  %missed_at = llvm.getelementptr %busy[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %last_at = llvm.getelementptr %busy[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %begin = func.call @now() : () -> i64
  llvm.call %task(%data, %zero, %iterations) : !llvm.ptr, (!llvm.ptr, i64, i64) -> ()
  %end = func.call @now() : () -> i64
  %missed = llvm.load %missed_at atomic monotonic {alignment = 8 : i64} : !llvm.ptr -> i64
  %last = llvm.load %last_at atomic monotonic {alignment = 8 : i64} : !llvm.ptr -> i64
  %own = arith.subi %end, %begin : i64
  %half = arith.shrsi %own, %one : i64
  %passed = arith.subi %end, %last : i64
  %lost = arith.shrsi %passed, %two : i64
  %more = arith.addi %missed, %half : i64
  %sum = arith.subi %more, %lost : i64
  %kept = arith.maxsi %sum, %zero : i64
  llvm.store %kept, %missed_at atomic monotonic {alignment = 8 : i64} : i64, !llvm.ptr
  llvm.store %end, %last_at atomic monotonic {alignment = 8 : i64} : i64, !llvm.ptr
  return
}

// Whether waking threads would have paid for the short loops of late.
func.func private @is_due() -> i1 {
  %zero = arith.constant 0 : i64
  %waking = arith.constant WAKING : i64
  %busy = llvm.mlir.addressof @busy : !llvm.ptr
  %missed_at = llvm.getelementptr %busy[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %missed = llvm.load %missed_at atomic monotonic {alignment = 8 : i64} : !llvm.ptr -> i64
  %is = arith.cmpi sge, %missed, %waking : i64
  scf.if %is {
    llvm.store %zero, %missed_at atomic monotonic {alignment = 8 : i64} : i64, !llvm.ptr
  }
  return %is : i1
}

// The team for a loop of this much work: 0 where it is not to be had, or not worth it, 1 for those
// that are awake, 2 for all, 3 for none as yet.
func.func private @begin(%work: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %warm = arith.constant WARM : i64
  %cold = arith.constant COLD : i64
  %busy = llvm.mlir.addressof @busy : !llvm.ptr
  %much = arith.cmpi sge, %work, %warm : i64
  %result = scf.if %much -> i64 {
    %tried = llvm.cmpxchg %busy, %zero, %one seq_cst seq_cst : !llvm.ptr, i64
    %got = llvm.extractvalue %tried[1] : !llvm.struct<(i64, i1)>
    %how = scf.if %got -> i64 {
      %workers = llvm.mlir.addressof @workers : !llvm.ptr
      %awake_at = llvm.getelementptr %workers[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %awake = llvm.load %awake_at atomic monotonic {alignment = 8 : i64} : !llvm.ptr -> i64
      %all = arith.cmpi sge, %work, %cold : i64
      %some = arith.cmpi sgt, %awake, %zero : i64
      %those = scf.if %all -> i64 {
        scf.yield %two : i64
      } else {
        %these = scf.if %some -> i64 {
          scf.yield %one : i64
        } else {
          %due = func.call @is_due() : () -> i1
          %wake = arith.select %due, %two, %three : i64
          scf.yield %wake : i64
        }
        scf.yield %these : i64
      }
      %alone = arith.cmpi eq, %those, %three : i64
      scf.if %alone {
        llvm.store %zero, %busy atomic release {alignment = 8 : i64} : i64, !llvm.ptr
      }
      scf.yield %those : i64
    } else {
      scf.yield %zero : i64
    }
    scf.yield %how : i64
  } else {
    scf.yield %zero : i64
  }
  return %result : i64
}

func.func private @lay_out(
    %task: !llvm.ptr, %data: !llvm.ptr, %iterations: i64, %work: i64, %threads: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %line = arith.constant 16 : i64
  %many = arith.constant 128 : i64
  %most = arith.constant PIECES : i64
  %least = arith.constant PIECE : i64
  %loop = llvm.mlir.addressof @loop : !llvm.ptr
  %pieces = llvm.mlir.addressof @pieces : !llvm.ptr
  %own = arith.divsi %work, %threads : i64
  %worth = arith.divsi %own, %least : i64
  %there = arith.divsi %iterations, %threads : i64
  %a = arith.minsi %worth, %there : i64
  %b = arith.minsi %a, %most : i64
  %each = arith.maxsi %b, %one : i64
  %all = arith.muli %threads, %each : i64
  %length = arith.divsi %iterations, %all : i64
  %long = arith.cmpi sge, %length, %many : i64
  %grain = arith.select %long, %line, %one : i64
  llvm.store %task, %loop : !llvm.ptr, !llvm.ptr
  %data_at = llvm.getelementptr %loop[1] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %data, %data_at : !llvm.ptr, !llvm.ptr
  %iterations_at = llvm.getelementptr %loop[2] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %iterations, %iterations_at : i64, !llvm.ptr
  %threads_at = llvm.getelementptr %loop[3] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %threads, %threads_at : i64, !llvm.ptr
  %each_at = llvm.getelementptr %loop[4] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %each, %each_at : i64, !llvm.ptr
  %grain_at = llvm.getelementptr %loop[5] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %grain, %grain_at : i64, !llvm.ptr
  scf.for %i = %zero to %threads step %one : i64 {
    %place = arith.muli %i, %line : i64
    %next = llvm.getelementptr %pieces[%place] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %zero, %next atomic monotonic {alignment = 8 : i64} : i64, !llvm.ptr
  }
  return
}

// Opens the gate for the loop that is laid out, and closes it when all pieces are done.
func.func private @with_team(%threads: i64, %how: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %hint = arith.constant 1 : i32
  %bit = arith.constant 65536 : i64
  %inside = arith.constant 65535 : i64
  %closed = arith.constant -65537 : i64
  %patience = arith.constant 100 : i64
  %gate = llvm.mlir.addressof @gate : !llvm.ptr
  %before = llvm.load %gate atomic monotonic {alignment = 8 : i64} : !llvm.ptr -> i64
  %twice = arith.addi %bit, %bit : i64
  %number = arith.addi %before, %twice : i64
  %open = arith.ori %number, %bit : i64
  %was = llvm.atomicrmw xchg %gate, %open seq_cst : !llvm.ptr, i64
  %all = arith.cmpi eq, %how, %two : i64
  scf.if %all {
    %others = arith.subi %threads, %one : i64
    scf.for %i = %zero to %others step %one : i64 {
      func.call @wake(%i) : (i64) -> ()
    }
  }
  func.call @take_part(%zero) : (i64) -> ()
  %now = llvm.atomicrmw _and %gate, %closed seq_cst : !llvm.ptr, i64
  %last = scf.while (%i = %zero) : (i64) -> i64 {
    %value = llvm.load %gate atomic acquire {alignment = 8 : i64} : !llvm.ptr -> i64
    %there = arith.andi %value, %inside : i64
    %some = arith.cmpi ne, %there, %zero : i64
    scf.condition(%some) %i : i64
  } do {
  ^bb0(%i: i64):
    %next = arith.addi %i, %one : i64
    %long = arith.cmpi uge, %i, %patience : i64
    scf.if %long {
      %ignored = llvm.call @sched_yield() : () -> i32
    } else {
      PAUSE
    }
    scf.yield %next : i64
  }
  %busy = llvm.mlir.addressof @busy : !llvm.ptr
  llvm.store %zero, %busy atomic release {alignment = 8 : i64} : i64, !llvm.ptr
  return
}

func.func @agir_run_iterations(%task: !llvm.ptr, %data: !llvm.ptr, %iterations: i64, %work: i64,
                               %most: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %threads = func.call @members(%iterations, %work, %most) : (i64, i64, i64) -> i64
  %several = arith.cmpi sgt, %threads, %one : i64
  %how = scf.if %several -> i64 {
    %found = func.call @begin(%work) : (i64) -> i64
    scf.yield %found : i64
  } else {
    scf.yield %zero : i64
  }
  %kind = arith.index_cast %how : i64 to index
  scf.index_switch %kind
  case 0 {
    llvm.call %task(%data, %zero, %iterations) : !llvm.ptr, (!llvm.ptr, i64, i64) -> ()
    scf.yield
  }
  case 3 {
    func.call @alone(%task, %data, %iterations) : (!llvm.ptr, !llvm.ptr, i64) -> ()
    scf.yield
  }
  default {
    func.call @lay_out(%task, %data, %iterations, %work, %threads)
      : (!llvm.ptr, !llvm.ptr, i64, i64, i64) -> ()
    func.call @with_team(%threads, %how) : (i64, i64) -> ()
    scf.yield
  }
  return
}
"""

ANYWHERE = """
func.func private @keep_apart(%its: !llvm.ptr) {
  return
}
"""
"""Where a thread cannot be kept off a core."""

APART = """
llvm.func @sched_getcpu() -> i32
llvm.func @pthread_setaffinity_np(i64, i64, !llvm.ptr) -> i32

// Before a worker is woken: it is not to wait for the core of the thread that wakes it, where a
// scheduler that saves cores would put it.
func.func private @keep_apart(%its: !llvm.ptr) {
  %one = arith.constant 1 : i64
  %bits = arith.constant 64 : i64
  %bytes = arith.constant 128 : i64
  %words = arith.constant 16 : i64
  %all = arith.constant -1 : i64
  %number = llvm.call @sched_getcpu() : () -> i32
  %core = arith.extsi %number : i32 to i64
  %next = arith.addi %core, %one : i64
  %off_at = llvm.getelementptr %its[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %off = llvm.load %off_at : !llvm.ptr -> i64
  %new = arith.cmpi ne, %off, %next : i64
  %word = arith.divui %core, %bits : i64
  %known = arith.cmpi ult, %word, %words : i64
  %is = arith.andi %new, %known : i1
  scf.if %is {
    %cores = llvm.mlir.addressof @cores : !llvm.ptr
    %mask = llvm.alloca %words x i64 : (i64) -> !llvm.ptr
    "llvm.intr.memcpy"(%mask, %cores, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
    %place = llvm.getelementptr %mask[%word] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %bit = arith.remui %core, %bits : i64
    %own = arith.shli %one, %bit : i64
    %others = arith.xori %own, %all : i64
    %before = llvm.load %place : !llvm.ptr -> i64
    %after = arith.andi %before, %others : i64
    llvm.store %after, %place : i64, !llvm.ptr
    %handle_at = llvm.getelementptr %its[2] : (!llvm.ptr) -> !llvm.ptr, i64
    %handle = llvm.load %handle_at : !llvm.ptr -> i64
    %ignored = llvm.call @pthread_setaffinity_np(%handle, %bytes, %mask)
      : (i64, i64, !llvm.ptr) -> i32
    llvm.store %next, %off_at : i64, !llvm.ptr
  }
  return
}
"""
