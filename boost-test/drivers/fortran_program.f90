! SPDX-License-Identifier: MIT
! A Fortran program that evaluates a tape; the recording is done in C++ (fortran_recording.cpp).
program fortran_program
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_long), external :: function, gradient, jacobian, vec_jac, jac_vec, jac_solv
  integer(c_long), external :: zos_forward, fos_reverse, fov_forward
  integer(c_long), external :: hessian, hess_vec, hess_mat, lagra_hess_vec
  integer(c_long), external :: hos_forward, hos_reverse, hov_reverse, hov_wk_forward, hos_ov_reverse
  integer(c_long) :: tag, one, two, three, m, n, code
  real(c_double) :: x(2), y(2), g(2), jac(2, 2), seeds(2, 2), ydot(2, 2), b(2), u(2), z(2), v(2), w(2)
  real(c_double) :: curve(2, 2), coefficients(2, 2), adjoints(2, 3), weights(2, 2), all_adjoints(2, 2, 2)
  real(c_double) :: curves(2, 2, 1), results(2, 2, 1), polynomials(2, 2)
  interface
    subroutine record_for_fortran() bind(c)
    end subroutine
  end interface

  call record_for_fortran()
  one = 1
  two = 2
  three = 3
  m = 2
  n = 2
  x = [2.0d0, 3.0d0]

  tag = 1 ! y = x1 x2
  code = gradient(tag, n, x, g)
  call check(code == 3 .and. g(1) == 3.0d0 .and. g(2) == 2.0d0, 'gradient')

  jac = 99.0d0
  code = hessian(tag, n, x, jac) ! the lower triangle
  call check(code == 3 .and. jac(1, 1) == 0.0d0 .and. jac(2, 1) == 1.0d0 &
             .and. jac(2, 2) == 0.0d0 .and. jac(1, 2) == 99.0d0, 'hessian')
  v = [1.0d0, 2.0d0]
  code = hess_vec(tag, n, x, v, w)
  call check(code == 3 .and. w(1) == 2.0d0 .and. w(2) == 1.0d0, 'hess_vec')
  seeds = reshape([1.0d0, 0.0d0, 1.0d0, 2.0d0], [2, 2]) ! columns (1,0) and (1,2)
  code = hess_mat(tag, n, two, x, seeds, ydot)
  call check(code == 3 .and. ydot(1, 1) == 0.0d0 .and. ydot(2, 1) == 1.0d0 &
             .and. ydot(1, 2) == 2.0d0 .and. ydot(2, 2) == 1.0d0, 'hess_mat')

  tag = 2 ! y1 = x1 x2, y2 = x1**2 + x2
  u = [1.0d0, 2.0d0]
  code = lagra_hess_vec(tag, m, n, x, v, u, w)
  call check(code == 3 .and. w(1) == 6.0d0 .and. w(2) == 1.0d0, 'lagra_hess_vec')
  ! x1 = 2 + t, x2 = 3 + t**2: y1 = 6 + 3 t + 2 t**2 ..., y2 = 7 + 4 t + 2 t**2
  curve = reshape([1.0d0, 0.0d0, 0.0d0, 1.0d0], [2, 2])
  code = hos_forward(tag, m, n, two, three, x, curve, y, coefficients)
  call check(code == 3 .and. coefficients(1, 1) == 3.0d0 .and. coefficients(2, 1) == 4.0d0 &
             .and. coefficients(1, 2) == 2.0d0 .and. coefficients(2, 2) == 2.0d0, 'hos_forward')
  u = [1.0d0, 1.0d0] ! 7 + 2 t + t**2, 3 + t
  code = hos_reverse(tag, m, n, two, u, adjoints)
  call check(code == 3 .and. all(adjoints(1, :) == [7.0d0, 2.0d0, 1.0d0]) &
             .and. all(adjoints(2, :) == [3.0d0, 1.0d0, 0.0d0]), 'hos_reverse')
  weights = reshape([1.0d0, 0.0d0, 1.0d0, 1.0d0], [2, 2]) ! rows (1,1) and (0,1)
  code = hov_reverse(tag, m, n, one, two, weights, all_adjoints)
  call check(code == 3 .and. all(all_adjoints(1, 1, :) == [7.0d0, 2.0d0]) &
             .and. all(all_adjoints(2, 1, :) == [4.0d0, 2.0d0]) &
             .and. all(all_adjoints(2, 2, :) == [1.0d0, 0.0d0]), 'hov_reverse')
  curves = reshape([1.0d0, 0.0d0, 0.0d0, 1.0d0], [2, 2, 1]) ! directions (1,0) and (0,1)
  code = hov_wk_forward(tag, m, n, one, two, two, x, curves, y, results)
  call check(code == 3 .and. results(1, 1, 1) == 3.0d0 .and. results(1, 2, 1) == 2.0d0 &
             .and. results(2, 1, 1) == 4.0d0 .and. results(2, 2, 1) == 1.0d0, 'hov_wk_forward')
  polynomials = reshape([1.0d0, 1.0d0, 0.0d0, 0.0d0], [2, 2])
  code = hos_ov_reverse(tag, m, n, one, two, polynomials, all_adjoints)
  call check(code == 3 .and. all(all_adjoints(1, 1, :) == [7.0d0, 2.0d0]) &
             .and. all(all_adjoints(2, 1, :) == [7.0d0, 1.0d0]), 'hos_ov_reverse')

  code = function(tag, m, n, x, y)
  call check(code == 3 .and. y(1) == 6.0d0 .and. y(2) == 7.0d0, 'function')
  jac = 99.0d0
  code = jacobian(tag, m, n, x, jac)
  call check(code == 3 .and. jac(1, 1) == 3.0d0 .and. jac(1, 2) == 2.0d0 &
             .and. jac(2, 1) == 4.0d0 .and. jac(2, 2) == 1.0d0, 'jacobian')
  seeds = reshape([1.0d0, 0.0d0, 1.0d0, 1.0d0], [2, 2]) ! columns (1,0) and (1,1)
  code = fov_forward(tag, m, n, two, x, seeds, y, ydot)
  call check(code == 3 .and. ydot(1, 1) == 3.0d0 .and. ydot(2, 1) == 4.0d0 &
             .and. ydot(1, 2) == 5.0d0 .and. ydot(2, 2) == 5.0d0, 'fov_forward')
  u = [1.0d0, 1.0d0]
  code = zos_forward(tag, m, n, one, x, y)
  call check(code == 3, 'zos_forward')
  code = fos_reverse(tag, m, n, u, z)
  call check(code == 3 .and. z(1) == 7.0d0 .and. z(2) == 3.0d0, 'fos_reverse')
  v = [1.0d0, 0.0d0]
  code = jac_vec(tag, m, n, x, v, w)
  call check(code == 3 .and. w(1) == 3.0d0 .and. w(2) == 4.0d0, 'jac_vec')
  b = [5.0d0, 5.0d0]
  code = jac_solv(tag, n, x, b, two)
  call check(code == 3 .and. b(1) == 1.0d0 .and. b(2) == 1.0d0, 'jac_solv')

  tag = 77 ! never recorded: a code, the program goes on
  code = gradient(tag, n, x, g)
  call check(code < -99, 'unknown tape')

contains
  subroutine check(condition, name)
    logical, intent(in) :: condition
    character(*), intent(in) :: name
    if (.not. condition) then
      print *, 'wrong: ', name
      error stop 1
    end if
  end subroutine
end program
